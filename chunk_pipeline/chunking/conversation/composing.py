"""The text of a unit: what its messages say, with the speaker where he changes, and where all of it stands.

What does not belong here: sizes (``cutting``) and what is put above a chunk (``heading``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Span
from chunk_pipeline.chunking.conversation.message import Message, Stretch
from chunk_pipeline.chunking.conversation.units import Unit

_BETWEEN = "\n\n"


class Laid(NamedTuple):
    """A stretch of a message in a unit's text, from ``at`` on; what is between them is not of the source."""

    at: int
    message: Message
    stretch: Stretch

    @property
    def end(self) -> int:
        """Where it ends in the unit's text."""
        return self.at + self.stretch.end - self.stretch.start


class Passage(NamedTuple):
    """A part of a unit's text that begins and ends with characters of the source, none of them white space.

    Attributes:
        body: The text.
        spans: Where its characters of the source stand, ascending.
        messages: Those that it holds something of, in their order.
    """

    body: str
    spans: tuple[Span, ...]
    messages: tuple[Message, ...]


class Composed(NamedTuple):
    """A unit's text and the stretches in it, in order."""

    text: str
    laid: Sequence[Laid]

    def passage(self, start: int, end: int) -> Passage | None:
        """What is in ``text[start:end]``; nothing where that is blank or a speaker's label."""
        held = [(each, *bounds) for each in self.laid if (bounds := _solid(self.text, each, start, end))]
        if not held:
            return None
        spans = sorted(
            each.stretch.text.span(
                each.stretch.start + first - each.at, each.stretch.start + behind - each.at
            )
            for each, first, behind in held
        )
        messages = tuple({each.message.identity: each.message for each, _, _ in held}.values())
        return Passage(self.text[held[0][1] : held[-1][2]], tuple(spans), messages)


def compose(unit: Unit) -> Composed:
    """A unit's text: of several messages, all but the first with their speaker's label."""
    texts: list[str] = []
    laid: list[Laid] = []
    length = 0
    for number, message in enumerate(unit.messages):
        stretches = unit.attachment.stretches if unit.attachment else message.stretches
        for index, stretch in enumerate(stretches):
            lead = _BETWEEN if texts else ""
            if number and not index:
                lead += f"{message.speaker}: "
            texts.extend((lead, stretch.value))
            laid.append(Laid(length + len(lead), message, stretch))
            length = laid[-1].end
    return Composed("".join(texts), laid)


def _solid(text: str, laid: Laid, start: int, end: int) -> tuple[int, int] | None:
    """Where what a stretch has in ``text[start:end]`` begins and ends, white space at both ends apart."""
    first, behind = max(start, laid.at), min(end, laid.end)
    part = text[first:behind]
    if not part.strip():
        return None
    return first + len(part) - len(part.lstrip()), first + len(part.rstrip())
