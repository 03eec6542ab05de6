"""The count of rows: those in the file are those in chunks and those left out, and nothing else.

Counted on the text, the chunks and the skips alone, so that it can catch the strategy.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from chunk_pipeline.chunking.account import Account
from chunk_pipeline.chunking.chunk import Chunk, Skip, Span, UnparsableError
from chunk_pipeline.chunking.registry_csv.layout import Layout, find_table, guessed


def account(
    text: str, chunks: Sequence[Chunk], skips: Sequence[Skip], extra: Mapping[str, str] | None = None
) -> Account:
    """Count the rows of a file.

    Args:
        text: The file.
        chunks: Its chunks.
        skips: What the strategy left out.
        extra: Columns that its source maps (``mappings.own_columns``).

    Returns:
        Rows, header and blank lines included; ``lost`` is 0, or something is wrong.

    Raises:
        UnparsableError: It is not CSV.
    """
    held = sorted(span for chunk in chunks for span in chunk.spans)
    left = sorted(skips, key=lambda skip: skip.span)
    starts = [skip.span.start for skip in left]
    records = chunked = 0
    skipped: Counter[str] = Counter()
    for row in _rows(text, extra):
        records += 1
        place = bisect_right(starts, row.start) - 1
        if _touched(held, row):
            chunked += 1
        elif place >= 0 and left[place].span.end >= row.end:
            skipped[left[place].reason] += 1
    return Account("rows", records, chunked, skipped=tuple(sorted(skipped.items())))


def _rows(text: str, extra: Mapping[str, str] | None) -> Iterator[Span]:
    layout: Layout
    try:
        layout = find_table(text, extra).layout
    except UnparsableError:
        layout = guessed(text)
    return (Span(record.start, record.end) for record in layout.records(text))


def _touched(held: Sequence[Span], row: Span) -> bool:
    """Whether a span begins inside a row; none reaches over rows."""
    place = bisect_left(held, (row.start, 0))
    return place < len(held) and held[place].start < row.end
