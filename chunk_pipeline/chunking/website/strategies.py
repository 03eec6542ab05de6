"""The strategy for web pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.fitted_header import fitted_header
from chunk_pipeline.chunking.registry import register
from chunk_pipeline.chunking.website.chrome import reasons
from chunk_pipeline.chunking.website.chunks import Cutter, Measure, skips
from chunk_pipeline.chunking.website.facts import page_facts, section_facts
from chunk_pipeline.chunking.website.outline import outline
from chunk_pipeline.chunking.website.page import Page, parse, read_page
from chunk_pipeline.chunking.website.reading import unclosed
from chunk_pipeline.chunking.website.rendering import render, surroundings
from chunk_pipeline.chunking.website.sections import locate, sections
from chunk_pipeline.chunking.website.xpaths import Stored
from chunk_pipeline.conversion.html_docling import TESTED_VERSION

_JOINT = " > "
_READ_FOR_LANGUAGE = 5_000


@register
class Website(BudgetedStrategy):
    """One section of a page, one chunk with its XPath; cut between sentences, rows and items if long."""

    name: ClassVar[str] = "website"
    version: ClassVar[int] = 2
    categories: ClassVar[frozenset[str]] = frozenset({"website"})
    format: ClassVar[str] = "html"
    target_tokens: ClassVar[int] = 300
    max_tokens: ClassVar[int] = 800
    overlap_tokens: ClassVar[int] = 50
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    @property
    def settings(self) -> str:
        """Likewise, and the version of Docling, which finds the headings."""
        return f"{super().settings} docling={TESTED_VERSION}"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Yield the chunks of each section; navigation, footers, hidden text and scripts are skips.

        Raises:
            UnparsableError: It is no HTML, or larger or deeper than ``limits`` allow.
        """
        page = read_page(document.text)
        why = reasons(page)
        found = outline(page, why)
        parts = sections(page, why, found.headings)
        around = surroundings(page, found.items)
        bodies = [render(page, around, part) for part in parts]
        shown = "\n".join(body.text for body in bodies)[:_READ_FOR_LANGUAGE]
        known = page_facts(document, page, shown)
        locations = locate(page, Stored(parse(document.text)), parts)
        cutter = Cutter(page, Measure(self.size, self.target, self.ceiling, self.overlap_tokens))
        title = _title(page)
        for part, body, location in zip(parts, bodies, locations, strict=True):
            header = fitted_header(_headers(title, part.path), self.size, self.ceiling)
            facts = section_facts(known, page, part, location, body.text)
            yield from cutter.chunks(body, header, facts, location.anchor, found.fallback)
        yield from skips(page, why)
        yield from unclosed(document.text)


def _title(page: Page) -> str:
    for number, element in enumerate(page.elements):
        if element.tag == "title":
            return " ".join(page.text_of(number).split())
    return ""


def _headers(title: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """What may be put above a section, the fullest first."""
    names = [*([title] if title and title not in path[:1] else []), *path]
    return tuple(_JOINT.join(names[start:]) for start in range(len(names)))
