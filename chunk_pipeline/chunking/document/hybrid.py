"""Where Docling's own chunker would cut a document.

Its chunks are texts without offsets and without marks. Each is looked for in the source by its letters, and a
chunk is the source from there to where the next begins: nothing is lost, whatever Docling leaves out. What
does not belong here: what is measured, and facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunk_pipeline.chunking.docling_chunker import docling_chunks
from chunk_pipeline.chunking.document.alignment import Finder, letters
from chunk_pipeline.chunking.document.items import Items
from chunk_pipeline.chunking.document.sections import Section, sections
from chunk_pipeline.conversion.docling_documents import read_back
from chunk_pipeline.conversion.placed import PlacedItem


def hybrid_sections(text: str, known: Items, size: Callable[[str], int], most: int) -> tuple[Section, ...]:
    """The chunks of Docling's hybrid chunker as stretches of the text; together they are all of it.

    Args:
        text: The text.
        known: Its items, and the document that they are of.
        size: Tokens of a text.
        most: Tokens that the chunker is to put in a chunk.

    Returns:
        Stretches in order, each with the headings that Docling gives it. What stands aside of the body
        (notes, headers, footers) is cut by section, since the chunker leaves it out.
    """
    if not known.structure:
        return sections(text, known.items)
    end = _body_end(text, known.items)
    aside = [item for item in known.items if item.start >= end]
    found: list[Section] = []
    finder = Finder(text)
    under = _Headings(known.items, end)
    for chunk_text, path in docling_chunks(read_back(known.structure), size, most):
        behind = finder.place
        first, stop = under.stretch(path)
        finder.advance(first)
        start = finder.pass_by(chunk_text, stop)
        if start is None or start >= end:
            continue
        if found:
            start = _with_headings(known.items, behind, start)
            found[-1] = found[-1]._replace(end=start)
        found.append(Section(start if found else 0, end, path, "", ()))
    rest = text[end:] if found else text
    offset = len(text) - len(rest)
    moved = [item._replace(start=item.start - offset, end=item.end - offset) for item in aside]
    late = [each._replace(start=each.start + offset, end=each.end + offset) for each in sections(rest, moved)]
    return tuple(_with_items(each, known.items) for each in (*found, *late))


class _Headings:
    """Where chunks may stand: under the heading that they name, and not ahead of one passed by."""

    def __init__(self, items: Sequence[PlacedItem], end: int) -> None:
        headings = [item for item in items if item.is_heading]
        self._starts = [*(item.start for item in headings), end]
        self._titles = [letters(item.raw) for item in headings]
        self._at = -1

    def stretch(self, path: Sequence[str]) -> tuple[int, int]:
        """Start and end of what stands under the heading; of all that is left if it is not found."""
        title = letters(path[-1]) if path else ""
        at = max(self._at, 0)
        if title in self._titles[at:]:
            self._at = self._titles.index(title, at)
            return self._starts[self._at], self._starts[self._at + 1]
        return self._starts[self._at] if self._at >= 0 else 0, self._starts[-1]


def _body_end(text: str, items: Sequence[PlacedItem]) -> int:
    """Where what stands aside begins: the items behind the last one of the body."""
    end = len(text)
    for item in reversed(items):
        if item.layer == "body":
            break
        end = item.start
    return end


def _with_headings(items: Sequence[PlacedItem], behind: int, start: int) -> int:
    """The first heading between the chunk before and this one, or else its own place."""
    headings = (item.start for item in items if item.is_heading and behind <= item.start < start)
    return next(headings, start)


def _with_items(section: Section, items: Sequence[PlacedItem]) -> Section:
    """The section with the items that have pages, so that it knows its own."""
    inside = (item for item in items if item.start < section.end and item.end > section.start)
    return section._replace(items=tuple(item for item in inside if item.page))
