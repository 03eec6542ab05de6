"""Cutting any text at its coarsest boundary that fits, with an overlap: what every strategy falls back on.

Boundaries are, from coarse to fine: blank line, line break, sentence end, white space; only then is a word
cut. The shape is that of LangChain's RecursiveCharacterTextSplitter; here each chunk is a slice of the source, and
instead of splitting the text level by level, each chunk looks for its end backwards from the limit, which
touches every character about once. What does not belong here: measuring (``text_measure``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.text_graphemes import whole_before
from chunk_pipeline.chunking.text_measure import Measure, Ruler, characters

FULL_ENOUGH = 0.5
"""Share of the limit that a chunk must fill to end at a coarse boundary while there are finer ones."""

OVERLAP_SHARE = 5
"""The overlap of a fallback is the limit divided by this."""

_BLANK_LINE = re.compile(r"(?s:.*)\n[^\S\n]*\n")
_SENTENCE = re.compile(r"(?s:.*)(?:[.!?…][\"'”’»)\]]*(?=\s)|[。！？][”’」』）]*)")
_SPACE = re.compile(r"(?s:.*)\s")
_SPACES = re.compile(r"\s*")
_WORD = re.compile(r"(?<!\S)\S")


def recursive_spans(
    text: str, size: int, overlap: int = 0, measure: Measure = characters
) -> list[tuple[Span, int]]:
    """Cut a text at the coarsest boundary that fits.

    A chunk ends at the last blank line within the limit, or else line break, sentence end, white space; a
    coarse boundary in the first half of the limit gives way to a finer one in the second. A word is cut only
    where it is longer than the limit, and a grapheme only where that is. The next chunk begins at the first
    word within the last ``overlap`` of this one. Where there is none (behind a cut word), or where the next
    word would not fit any more, it repeats nothing.

    Args:
        text: Any text.
        size: The limit, in units of the measure, overlap included; at least 1.
        overlap: How much of the chunk before may be repeated; less than ``size``.
        measure: Makes the ruler: ``characters``, or tokens.

    Returns:
        (span, characters at its start that the span before holds too) in order. Spans begin and end with no
        white space, and what is between them is white space; no span for a blank text.

    Raises:
        ValueError: The size is below 1, or the overlap is not in ``[0, size)``.
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(f"size {size}, overlap {overlap}: size must be 1 or more, overlap in [0, size)")
    ruler = measure(text)
    stop = len(text.rstrip())
    spans: list[tuple[Span, int]] = []
    start = fresh = end = 0
    while (fresh := _past_spaces(text, end)) < stop:
        start = _overlap_start(text, ruler, spans[-1][0], overlap) if overlap and spans else fresh
        cut = _end(text, ruler, start, fresh, stop, size)
        if cut is None and start < fresh:
            start = fresh
            cut = _end(text, ruler, start, fresh, stop, size)
        repeated = max(0, end - start)
        end = cut if cut is not None else whole_before(text, ruler.reach(start, size), start + 1)
        spans.append((Span(start, end), repeated))
    return spans


def recursive_chunks(
    text: str, limit: int, fallback: str | None = None, start: int = 0, end: int | None = None
) -> Iterator[Chunk | Skip]:
    """Cut a stretch of a document as the strategy ``recursive`` does.

    Args:
        text: The document.
        limit: Characters that a chunk has at most; a fifth of it is the overlap.
        fallback: Why another strategy's own way did not apply, for the chunks' metadata.
        start: First character of the stretch.
        end: Character after its last; the document's end if absent.

    Yields:
        Chunks without header whose spans are of the document; one skip for a stretch that is blank and not
        empty.
    """
    stretch = text[start:end]
    spans = recursive_spans(stretch, limit, limit // OVERLAP_SHARE)
    yield from span_chunks(text, spans, start, fallback)
    if not spans and stretch:
        yield Skip(Span(start, start + len(stretch)), "blank document")


def span_chunks(
    text: str, spans: list[tuple[Span, int]], start: int = 0, fallback: str | None = None
) -> Iterator[Chunk]:
    """Chunks of spans with overlap; ``start`` is where in the document the spans are counted from."""
    metadata = ChunkMetadata(fallback=fallback)
    for span, overlap in spans:
        own = Span(start + span.start, start + span.end)
        yield Chunk(text[own.start : own.end], (own,), overlap=overlap, metadata=metadata)


def _end(text: str, ruler: Ruler, start: int, fresh: int, stop: int, size: int) -> int | None:
    """Where a chunk from ``start`` ends that holds ``fresh``; none where that would cut a word."""
    reach = ruler.reach(start, size)
    while fresh < reach < stop:
        # White space at the limit is not in the chunk, so a boundary may lie in all of it.
        edge = _past_spaces(text, reach)
        middle = start + int((reach - start) * FULL_ENOUGH)
        for floor in (middle, 0) if middle > fresh else (0,):
            for last in _LEVELS:
                place = last(text, max(floor, fresh + 1), edge)
                if place > 0:
                    end = start + len(text[start:place].rstrip())
                    if ruler.fits(start, end, size):
                        return end
                    break
        reach = ruler.reach(start, size - 1) if size > 1 else start
        size -= 1
    return stop if reach >= stop else None


def _last_blank_line(text: str, floor: int, edge: int) -> int:
    found = _BLANK_LINE.match(text, floor, edge)
    return found.end() if found else -1


def _last_line_break(text: str, floor: int, edge: int) -> int:
    return text.rfind("\n", floor, edge) + 1


def _last_sentence(text: str, floor: int, edge: int) -> int:
    found = _SENTENCE.match(text, floor, edge)
    return found.end() if found else -1


def _last_space(text: str, floor: int, edge: int) -> int:
    found = _SPACE.match(text, floor, edge)
    return found.end() if found else -1


_LEVELS: tuple[Callable[[str, int, int], int], ...] = (
    _last_blank_line,
    _last_line_break,
    _last_sentence,
    _last_space,
)
"""Each gives the end of the last boundary in ``[floor, edge)``; not positive where there is none."""


def _past_spaces(text: str, start: int) -> int:
    found = _SPACES.match(text, start)
    return found.end() if found else start


def _overlap_start(text: str, ruler: Ruler, last: Span, overlap: int) -> int:
    """The first word of the chunk before that may be repeated, or where the text goes on."""
    found = _WORD.search(text, max(ruler.back(last.end, overlap), last.start + 1), last.end)
    return found.start() if found else _past_spaces(text, last.end)
