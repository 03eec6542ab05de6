"""Which messages are cut as one: a short message says little without the one it belongs to.

Nothing is dropped: a short message without a neighbour is a unit of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from chunk_pipeline.chunking.conversation.branches import Chain
from chunk_pipeline.chunking.conversation.message import Attachment, Message
from chunk_pipeline.chunking.conversation.speakers import ASSISTANT, HUMAN

SHORT = 100
"""Characters from which a message stands alone."""


class Unit(NamedTuple):
    """What is cut as one.

    Attributes:
        branch: Of all its messages.
        messages: In their order; one where there is an attachment.
        attachment: The file whose text it is; ``None`` for what was said.
    """

    branch: Literal["current", "other"]
    messages: tuple[Message, ...]
    attachment: Attachment | None = None

    @property
    def locator(self) -> str:
        """Identities of its messages, and which attachment it is."""
        said = "+".join(message.identity for message in self.messages)
        return f"{said}/attachments/{self.attachment.number}" if self.attachment else said


def units(chain: Chain) -> Iterator[Unit]:
    """The units of a chain: what was said, then the attachments.

    A question and its answer are one unit if one of them is short. Another short message belongs to what is
    ahead of it if it is the assistant's, else to what follows; to its other neighbour where that is missing.
    """
    grouped: list[list[Message]] = []
    rest = [message for message in chain.messages if message.stretches]
    place = 0
    while place < len(rest):
        message = rest[place]
        following = rest[place + 1] if place + 1 < len(rest) else None
        short = is_short(message)
        if following and _is_answer(message, following) and (short or is_short(following)):
            grouped.append([message, following])
            place += 1
        elif short and grouped and (message.speaker == ASSISTANT or following is None):
            grouped[-1].append(message)
        elif short and following:
            grouped.append([message, following])
            place += 1
        else:
            grouped.append([message])
        place += 1
    for group in grouped:
        yield Unit(chain.branch, tuple(group))
    for message in chain.messages:
        for attachment in message.attachments:
            yield Unit(chain.branch, (message,), attachment)


def is_short(message: Message) -> bool:
    """Whether a message is joined with its neighbour."""
    return len(message.said) < SHORT


def _is_answer(message: Message, following: Message) -> bool:
    return message.speaker == HUMAN and following.speaker == ASSISTANT
