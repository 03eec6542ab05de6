"""A parsed script to chunks, each of which is proved to parse.

A piece from inside a declaration is parsed once more, with what is written around it, unless it is a row of
whole parts in brackets that were parsed. Where one does not parse, its inner boundaries are given up and the
declaration is cut elsewhere; what no cut can save is cut as text, and says so. What does not belong here:
choosing the grammar, and scripts that do not parse.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chunk_pipeline.chunking.chunk import Chunk, Skip, Span
from chunk_pipeline.chunking.grammars import is_whole
from chunk_pipeline.chunking.javascript.groups import Group
from chunk_pipeline.chunking.javascript.regions import ScriptRegions
from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.javascript.units import Units
from chunk_pipeline.chunking.json.strategies import breadcrumb
from chunk_pipeline.chunking.regions import Piece, cut_regions
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.text.recursive import recursive_chunks

ROUNDS = 3
"""Times that a declaration is cut again with boundaries given up."""

HEADER = 4
"""A header takes the limit divided by this at most."""

SHORT_HEADER = 8
"""Where a piece cannot be cut any smaller, its header may have to make do with the limit divided by this."""

_LEAST_NAME = 40


class ScriptChunks:
    """Cuts one script.

    Args:
        source: The script.
        name: The document's name, for headers.
        limit: Characters of a chunk's text.
    """

    def __init__(self, source: Source, name: str, limit: int) -> None:
        self._source = source
        self._text = source.text
        self._limit = limit
        self._regions = ScriptRegions(source, limit)
        self._name = name
        self._longest = limit // HEADER
        self._headers: dict[str, str] = {}

    def chunks(self, groups: Sequence[Group], start: int, end: int, trusted: bool) -> Iterator[Chunk | Skip]:
        """Cut a run of outermost statements.

        Args:
            groups: The statements, which stand at ``[start, end)`` of the text.
            start: First character.
            end: Character after the last.
            trusted: Whether whole statements need not be parsed again.
        """
        pieces = self._cut(groups, start, end)
        starts = [each.start for each in groups]
        outermost = set(starts)
        edges = [place for place, piece in enumerate(pieces) if piece.start in outermost]
        edges = sorted({0, *edges, len(pieces)}) if pieces else []
        proved: list[tuple[Piece, str]] = []
        for first, last in pairwise(edges):
            stop = pieces[last].start if last < len(pieces) else end
            run = pieces[first:last]
            if len(run) == 1 and trusted:
                proved.append((run[0], self._oversize(run[0])))
            else:
                inside = groups[bisect_left(starts, run[0].start) : bisect_left(starts, stop)]
                proved += self._proved(run, inside, stop, trusted)
        yield from self._as_chunks(proved)

    def _cut(self, groups: Sequence[Group], start: int, end: int) -> list[Piece]:
        root = self._regions.run(groups, start, end)
        return list(cut_regions(self._text, root, self._limit, self._room))

    def _room(self, label: str) -> int:
        return len(self._header(label)) + 1

    def _header(self, word: str) -> str:
        found = self._headers.get(word)
        if found is None:
            found = self._headers[word] = header(self._name, word, self._longest)
        return found

    def _proved(
        self, pieces: list[Piece], groups: Sequence[Group], end: int, trusted: bool
    ) -> list[tuple[Piece, str]]:
        """Pieces of a run of statements, each with why it must be cut as text, or an empty reason."""
        start, kept = pieces[0].start, {each.start for each in groups}
        for round_ in range(ROUNDS + 1):
            reasons = self._reasons(pieces, kept, trusted)
            inner = {
                place
                for piece, following, reason in zip(pieces, [*pieces[1:], None], reasons, strict=True)
                if reason and not self._oversize(piece)
                for place in (piece.start, following.start if following else piece.start)
            } - kept
            if not inner or round_ == ROUNDS:
                break
            self._regions.forbid(frozenset(inner))
            pieces = self._cut(groups, start, end)
        return list(zip(pieces, reasons, strict=True))

    def _reasons(self, pieces: Sequence[Piece], outermost: set[int], trusted: bool) -> list[str]:
        """For each piece, why it must be cut as text, or an empty reason.

        Parts in a row within brackets are whole with any of their neighbours, if only the brackets are: such
        a frame is parsed once. All else is parsed piece by piece.
        """
        frames = self._regions.frames
        begins = [trusted and (each.start in outermost or frames.opens(each.opening)) for each in pieces]
        outer_end = [each.start in outermost for each in pieces[1:]] + [True]
        reasons = []
        for piece, sure, last in zip(pieces, begins, outer_end, strict=True):
            reason = self._oversize(piece)
            if not reason and not (sure and (last or frames.closes(piece.closing))):
                reason = self._reason(piece)
            reasons.append(reason)
        return reasons

    def _reason(self, piece: Piece) -> str:
        passage = piece.opening + self._text[piece.start : piece.end] + piece.closing
        if is_whole(self._source.grammar, passage) or parses("javascript", passage):
            return ""
        return f"line {self._line(piece.start)}: cut here, it would not parse on its own"

    def _oversize(self, piece: Piece) -> str:
        size, header_size = self._size(piece), self._limit // SHORT_HEADER + 1
        if size + header_size <= self._limit or size + self._room(piece.label) <= self._limit:
            return ""
        return f"line {self._line(piece.start)}: {size} characters, with what is open there, cannot be cut"

    def _size(self, piece: Piece) -> int:
        return piece.end - piece.start + len(piece.opening) + len(piece.closing)

    def _line(self, place: int) -> int:
        return self._text.count("\n", 0, place) + 1

    def _as_chunks(self, proved: Sequence[tuple[Piece, str]]) -> Iterator[Chunk | Skip]:
        units = Units(self._source, self._regions.elements)
        for piece, reason in proved:
            scope = self._regions.scopes[piece.label]
            unit, own = units.called(piece.start, piece.end, scope)
            if reason:
                yield from self._as_text(piece, reason, unit)
                continue
            above = self._above(piece, own)
            yield Chunk(
                self._text[piece.start : piece.end],
                (Span(piece.start, piece.end),),
                unit,
                above,
                piece.opening,
                piece.closing,
            )

    def _above(self, piece: Piece, own: str) -> str:
        """The header of a piece, with the names of what it declares if there is room for them."""
        room = self._limit - self._size(piece) - 1
        if own:
            named = header(self._name, f"{piece.label} › {own}" if piece.label else own, self._longest)
            if len(named) <= room:
                return named
        if room < self._longest:
            return header(self._name, piece.label, room)
        return self._header(piece.label)

    def _as_text(self, piece: Piece, reason: str, unit: str) -> Iterator[Chunk | Skip]:
        above = self._header(piece.label)
        size = self._limit - len(above) - 1
        for each in recursive_chunks(self._text, size, reason, piece.start, piece.end):
            yield each._replace(header=above, unit=unit) if isinstance(each, Chunk) else each


def header(name: str, word: str, longest: int) -> str:
    """``// <name> :: <word>`` on one line; too long, the middle of the word and the name's start give way."""
    line = f"// {name} :: {word}" if word else f"// {name}"
    if len(line) <= longest and line.isprintable():
        return line  # The way of nearly all: nothing is to be escaped.
    above = breadcrumb(name, None)
    line = breadcrumb(name, word) if word else above
    if len(line) <= longest:
        return line
    if not word:
        return _start_cut(above, longest)
    room = max(longest - len(above) - 4, min(_LEAST_NAME, longest // 3))
    return f"{_start_cut(above, longest - room - 4)} :: {_middle_cut(line[len(above) + 4 :], room)}"


def _start_cut(line: str, longest: int) -> str:
    return line if len(line) <= longest else f"// …{line[-max(0, longest - 4) :]}"[:longest]


def _middle_cut(word: str, longest: int) -> str:
    if len(word) <= longest:
        return word
    ahead = (longest - 3) // 2
    return f"{word[:ahead].rstrip()} … {word[len(word) - (longest - 3 - ahead) :].lstrip()}"
