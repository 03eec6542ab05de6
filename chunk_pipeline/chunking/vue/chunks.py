"""A component to chunks, each of which is proved to parse.

A piece that does not parse is cut elsewhere; what no cut can save, and blocks that do not parse, are cut as
text and say so. What does not belong here: where blocks are and what they are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from chunk_pipeline.chunking.chunk import Chunk, Skip, Span
from chunk_pipeline.chunking.javascript.chunks import HEADER, ROUNDS, header
from chunk_pipeline.chunking.regions import Piece, cut_regions
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.text.recursive import recursive_chunks
from chunk_pipeline.chunking.vue.around import ARROW
from chunk_pipeline.chunking.vue.component_regions import BlockRegions, RunRegions
from chunk_pipeline.chunking.vue.sfc import blocks_of, line_of

LEFT_OUT = "between members of JSON"
"""Why commas and closing brackets at the ends of pieces are in none: they would not parse as JSON."""


def cut_component(text: str, name: str, limit: int) -> Iterator[Chunk | Skip]:
    """Cut a Vue component.

    Args:
        text: A single-file component.
        name: The document's name, for headers.
        limit: Characters of a chunk's text, header included.

    Yields:
        Chunks in order, with one span each, and skips; one skip for a text that is blank and not empty.
    """
    if not text.strip():
        if text:
            yield Skip(Span(0, len(text)), "blank document")
        return
    forbidden: set[int] = set()
    blocks = [BlockRegions(text, block, limit, forbidden) for block in blocks_of(text)]
    runs = [list(run) for _, run in groupby(blocks, key=lambda each: each.broken or None)]
    runs = runs or [[]]
    starts = [0, *(run[0].block.start for run in runs[1:]), len(text)]
    for run, start, end in zip(runs, starts, starts[1:], strict=False):
        cutter = _RunCutter(text, run, name, limit, forbidden)
        yield from cutter.broken(start, end) if not run or run[0].broken else cutter.chunks(start, end)


class _RunCutter:
    """Cuts blocks that follow each other, all of which are broken or none."""

    def __init__(
        self, text: str, blocks: Sequence[BlockRegions], name: str, limit: int, forbidden: set[int]
    ) -> None:
        self._text = text
        self._blocks = blocks
        self._limit = limit
        self._forbidden = forbidden
        self._header = cache(lambda word: header(name, word, limit // HEADER))
        self._longest = max((each.block.name for each in blocks), key=len, default="")

    def broken(self, start: int, end: int) -> Iterator[Chunk | Skip]:
        """The run at ``[start, end)`` as text."""
        block = self._blocks[0] if self._blocks else None
        reason = block.broken if block else f"line {line_of(self._text, start)}: there is no block"
        yield from self._as_text(start, end, reason, block.block.name if block else "", "")

    def chunks(self, start: int, end: int) -> Iterator[Chunk | Skip]:
        """The run at ``[start, end)`` as pieces that are proved."""
        run = RunRegions(self._text, self._blocks, start, end, self._limit)
        place = start
        for piece, reason in self._proved(run):
            yield from self._left_out(place, piece.start)
            place = piece.end
            unit, word = run.called(piece.start, piece.end, piece.label)
            if reason:
                yield from self._as_text(piece.start, piece.end, reason, unit, piece.label)
                continue
            above = self._above(piece, word)
            body, span = self._text[piece.start : piece.end], Span(piece.start, piece.end)
            yield Chunk(body, (span,), unit, above, piece.opening, piece.closing)
        yield from self._left_out(place, end)

    def _above(self, piece: Piece, word: str) -> str:
        """The header that says most of those that fit."""
        room = self._limit - self._size(piece) - 1
        headers = (self._header(each) for each in (word, word.partition(ARROW)[0], piece.label))
        return next((each for each in headers if len(each) <= room), "")

    def _proved(self, run: RunRegions) -> list[tuple[Piece, str]]:
        """The run's pieces, each with why it must be cut as text, or an empty reason."""
        for round_ in range(ROUNDS + 1):
            pieces = list(cut_regions(self._text, run.root(), self._limit, self._room, run.trim))
            reasons = [self._reason(piece) for piece in pieces]
            inner = {
                place
                for piece, following, reason in zip(pieces, [*pieces[1:], None], reasons, strict=True)
                if reason and not self._is_oversize(piece)
                for place in (piece.start, following.start if following else piece.start)
            }
            if inner <= self._forbidden or round_ == ROUNDS:
                break
            self._forbidden |= inner
        return list(zip(pieces, reasons, strict=True))

    def _reason(self, piece: Piece) -> str:
        if self._is_oversize(piece):
            what = f"{self._size(piece)} characters that cannot be cut between parts"
        elif parses("vue", piece.opening + self._text[piece.start : piece.end] + piece.closing):
            # Whole blocks are asked too: text behind a block is whole only ahead of another.
            return ""
        else:
            what = "cut here, it would not parse on its own"
        return f"line {line_of(self._text, piece.start)}: {what}"

    def _is_oversize(self, piece: Piece) -> bool:
        return self._size(piece) + self._room(piece.label) > self._limit

    def _size(self, piece: Piece) -> int:
        return piece.end - piece.start + len(piece.opening) + len(piece.closing)

    def _room(self, label: str) -> int:
        """What a header needs; a piece that begins with a block names that at least."""
        return len(self._header(label or self._longest)) + 1

    def _left_out(self, start: int, end: int) -> Iterator[Skip]:
        """What is in no piece and no white space."""
        between = self._text[start:end]
        solid = between.strip()
        if solid:
            begin = start + len(between) - len(between.lstrip())
            yield Skip(Span(begin, begin + len(solid)), LEFT_OUT)

    def _as_text(self, start: int, end: int, reason: str, unit: str, label: str) -> Iterator[Chunk | Skip]:
        above = self._header(label or unit)
        size = self._limit - len(above) - 1
        for each in recursive_chunks(self._text, size, reason, start, end):
            yield each._replace(header=above, unit=unit) if isinstance(each, Chunk) else each
