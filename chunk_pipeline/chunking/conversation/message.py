"""The vocabulary of an export: conversations, messages and the texts of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from chunk_pipeline.chunking.conversation.decoding import Decoded
from chunk_pipeline.chunking.json.tree import Node


class Stretch(NamedTuple):
    """A part of a text that holds something besides white space: ``text.value[start:end]``."""

    text: Decoded
    start: int
    end: int

    @property
    def value(self) -> str:
        """The characters themselves."""
        return self.text.value[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Attachment:
    """The text of a file that is attached to a message.

    Attributes:
        name: Name of the file; may be empty.
        number: Its place among the message's, from 0.
        stretches: Its text.
    """

    name: str
    number: int
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation.

    Attributes:
        identity: Its uuid; its JSON Pointer where it has none or another has the same.
        pointer: Where it stands.
        speaker: Label of its sender.
        date: ``YYYY-MM-DD``, or empty.
        parent: Identity that it answers; empty for the first, ``None`` where the export does not say.
        stretches: What was said, in the order of the source.
        attachments: Files with text.
    """

    identity: str
    pointer: str
    speaker: str
    date: str
    parent: str | None
    stretches: tuple[Stretch, ...]
    attachments: tuple[Attachment, ...]

    @property
    def said(self) -> str:
        """All that was said, a blank line between its parts."""
        return "\n\n".join(stretch.value.strip() for stretch in self.stretches)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation.

    Attributes:
        identity: Its uuid, or its JSON Pointer.
        title: Its name; may be empty.
        date: ``YYYY-MM-DD``, or empty.
        leaf: Uuid of the message that it ends with now; empty where the export does not say.
        messages: Those that are objects, in the order of the source, those without text among them.
    """

    identity: str
    title: str
    date: str
    leaf: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Export:
    """A file of conversations.

    Attributes:
        root: Its tree.
        conversations: In the order of the source.
        reasons: Why what stands in a value is in no chunk, by the value's first character; the innermost
            counts. What has none is bookkeeping.
        texts: Texts of messages by their first character: what chunks hold, but for the placeholders in them.
    """

    root: Node
    conversations: tuple[Conversation, ...]
    reasons: Mapping[int, str]
    texts: Mapping[int, Decoded]
