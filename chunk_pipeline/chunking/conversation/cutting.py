"""From a unit to its chunks: pieces of so many tokens, each under the conversation's name and its speaker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import NO_METADATA, Chunk, ChunkMetadata
from chunk_pipeline.chunking.conversation.composing import Composed, Passage, compose
from chunk_pipeline.chunking.conversation.heading import heading, shortened
from chunk_pipeline.chunking.conversation.message import Message
from chunk_pipeline.chunking.conversation.units import Unit
from chunk_pipeline.chunking.facts.facts import ConversationFacts
from chunk_pipeline.chunking.token_pieces import Piece, Size, cut_by_tokens

LONGEST_FILE_NAME = 60
"""Characters of a file's name that are shown."""

_TRIES = 4

FactsOf = Callable[[Unit, Passage], ConversationFacts]
"""The facts of a chunk."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large chunks are: tokens of a text, and the three guidelines in tokens."""

    size: Size
    target: int
    ceiling: int
    overlap: int


def unit_chunks(unit: Unit, title: str, date: str, sizes: Sizes, facts: FactsOf) -> list[Chunk]:
    """Cut a unit.

    A chunk that holds something of several blocks has several spans. Such a chunk, and the one behind it,
    repeat nothing: an overlap is counted between chunks of one span.

    Args:
        unit: What is cut as one.
        title: The conversation's name.
        date: Its date, for messages that have none.
        sizes: Guidelines.
        facts: Gives the facts of each chunk.

    Returns:
        At least one chunk. One is over the ceiling only if it is marked as indivisible.
    """
    composed = compose(unit)
    labels = {message.identity: _label(unit, message) for message in unit.messages}
    longest = max(labels.values(), key=len)
    known, shown = heading(title, unit.messages[0].date or date, longest, sizes.size, sizes.ceiling)

    def made(passage: Passage, overlap: int) -> Chunk:
        header = known.above(labels[passage.messages[0].identity] if shown else "")
        chunk = Chunk(
            body=passage.body,
            spans=passage.spans,
            unit=unit.messages[0].pointer,
            header=header,
            overlap=overlap,
            facts=facts(unit, passage),
        )
        over = sizes.size(chunk.text) > sizes.ceiling
        return chunk._replace(metadata=ChunkMetadata(indivisible=True) if over else NO_METADATA)

    above = known.above(longest if shown else "") + "\n"
    for maximum in range(sizes.ceiling, max(0, sizes.ceiling - _TRIES), -1):
        # Tokens do not quite add up: a piece may be one over in the place where it ends up.
        pieces = cut_by_tokens(
            composed.text,
            lambda text: sizes.size(above + text),
            min(sizes.target, maximum),
            maximum,
            sizes.overlap,
        )
        chunks = [made(passage, overlap) for passage, overlap in _passages(composed, pieces)]
        if not any(chunk.metadata.indivisible for chunk in chunks):
            break
    return chunks


def _label(unit: Unit, message: Message) -> str:
    """Who speaks, or whose file it is."""
    if unit.attachment is None:
        return message.speaker
    name = shortened(" ".join(unit.attachment.name.split()), LONGEST_FILE_NAME)
    return f"{message.speaker}, attached {name or 'file'}"


def _passages(composed: Composed, pieces: Sequence[Piece]) -> Iterator[tuple[Passage, int]]:
    """Each piece that is not blank, with its overlap in characters of the source."""
    before: Passage | None = None
    for piece in pieces:
        passage = composed.passage(piece.start, piece.end)
        overlap = _shared(before, passage)
        if piece.overlap and (overlap is None or overlap == 0):
            passage, overlap = composed.passage(piece.start + piece.overlap, piece.end), 0
        if passage is not None:
            yield passage, overlap or 0
            before = passage


def _shared(before: Passage | None, passage: Passage | None) -> int | None:
    """Characters that two passages of one span share; ``None`` where one has several."""
    if before is None or passage is None:
        return 0
    if len(before.spans) > 1 or len(passage.spans) > 1:
        return None
    return max(0, before.spans[0].end - passage.spans[0].start)
