"""A row's chunk, and its pieces where it is too long for one.

The body has a line for each cell with something in it: the slot or the column's name, and the text. A piece's
spans are of the characters that it shows. What does not belong here: which rows are records (``rows``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Span
from chunk_pipeline.chunking.facts.facts import RegistryFacts
from chunk_pipeline.chunking.registry_csv.facts import of_piece
from chunk_pipeline.chunking.registry_csv.records import Field
from chunk_pipeline.chunking.registry_csv.rows import Row
from chunk_pipeline.chunking.token_pieces import cut_by_tokens

_OVER = ChunkMetadata(indivisible=True)


class _Shown(NamedTuple):
    """Where a cell's text is in a body.

    Attributes:
        start: Its first character in the body.
        end: The character after its last.
        field: The cell.
        lead: White space of the cell ahead of what is shown.
    """

    start: int
    end: int
    field: Field
    lead: int


@dataclass(frozen=True, slots=True)
class Measure:
    """What a chunk of this registry may be.

    Attributes:
        size: Tokens of a text.
        target: What a piece should have.
        ceiling: What no chunk may have more than.
    """

    size: Callable[[str], int]
    target: int
    ceiling: int


def row_chunks(
    row: Row, facts: RegistryFacts, header: str, piece_header: str, measure: Measure
) -> Iterator[Chunk]:
    """The chunk of a row, or its pieces in order.

    Args:
        row: A row with something in it.
        facts: Its facts.
        header: What is put above its chunk.
        piece_header: What is put above each piece instead, where it has several.
        measure: How much a chunk may hold.
    """
    body, shown = _body(row)
    metadata = ChunkMetadata(language=facts.language) if facts.language else ChunkMetadata()
    whole = Chunk(
        body,
        (Span(row.record.start, row.record.end),),
        str(row.number),
        header,
        metadata=metadata,
        facts=of_piece(facts, body),
    )
    if measure.size(whole.text) <= measure.ceiling:
        yield whole
        return
    yield from _pieces(body, shown, whole._replace(header=piece_header), facts, measure)


def _body(row: Row) -> tuple[str, list[_Shown]]:
    lines: list[str] = []
    shown: list[_Shown] = []
    position = 0
    for cell in row.cells:
        value = cell.field.value
        text = value.strip()
        line = f"{cell.name}: {text}"
        end = position + len(line)
        shown.append(_Shown(end - len(text), end, cell.field, len(value) - len(value.lstrip())))
        lines.append(line)
        position = end + 1
    return "\n".join(lines), shown


def _pieces(
    body: str, shown: Sequence[_Shown], whole: Chunk, facts: RegistryFacts, measure: Measure
) -> Iterator[Chunk]:
    """Pieces that end with a cell where they can."""

    def size(text: str) -> int:
        return measure.size(whole._replace(body=text).text)

    ends = [each.end + 1 for each in shown[:-1]]
    for piece in cut_by_tokens(body, size, measure.target, measure.ceiling, breaks=ends):
        text = body[piece.start : piece.end]
        start = piece.start + len(text) - len(text.lstrip())
        text = text.strip()
        span = _span(shown, start, start + len(text))
        # A piece that ends behind a cell's name alone shows nothing of the source.
        if span is not None:
            metadata = whole.metadata if size(text) <= measure.ceiling else _OVER
            yield whole._replace(body=text, spans=(span,), metadata=metadata, facts=of_piece(facts, text))


def _span(shown: Sequence[_Shown], start: int, end: int) -> Span | None:
    """Where what a body shows between two of its characters stands in the source."""
    first = bisect_right(shown, start, key=lambda each: each.end)
    last = bisect_right(shown, end - 1, key=lambda each: each.start) - 1
    if last < first:
        return None
    opening, closing = shown[first], shown[last]
    begin = opening.field.place(opening.lead + max(0, start - opening.start))
    return Span(begin, closing.field.place(closing.lead + min(end, closing.end) - closing.start - 1) + 1)
