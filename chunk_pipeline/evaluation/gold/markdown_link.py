"""Route ``markdown_link``: a sentence with a link is the query, the page or section linked to the answer.

An author says in their own words what is explained elsewhere. Every word that the target holds is taken
out, so the route is not lexical by construction. The sentence's own page is in the index as well: it may
rank above the target without being an answer, which holds for all strategies alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, normpath

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import Block, blocks, lead, plain, section
from chunk_pipeline.evaluation.gold.masking import masked, sentence_with
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route, united

PER_PAGE = 8
"""Queries taken from a page, in its order."""

_LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\((?P<file>[^)\s#:]*)(?:#(?P<anchor>[^)\s]*))?\)")
_NOT_SLUG = re.compile(r"[^\w\- ]+")


class MarkdownLink(Route):
    """Sentences of running text with a link inside the repository's documentation, masked; 8 a page."""

    name = "markdown_link"
    categories = frozenset({"markdown"})
    asks = "Which section explains what this sentence of another page speaks of, their common words left out?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; words that several pages give are one query with all their answers."""
        yield from united(self._mine(documents))

    def _mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """The queries in the order of pages."""
        pages = {(page.repository, page.path): page for page in documents}
        parsed = {key: blocks(page.text) for key, page in pages.items()}
        for key, page in pages.items():
            taken = 0
            for text, link in _links(parsed[key]):
                target = _target(pages, page, link["file"])
                answer = (
                    _answer(target, parsed[target.repository, target.path], link["anchor"])
                    if target
                    else None
                )
                if target is None or answer is None or taken >= PER_PAGE:
                    continue
                query = masked(sentence_with(text, link.start()), target.text[answer.start : answer.end])
                if query:
                    taken += 1
                    yield GoldQuery(
                        query=query,
                        route=self.name,
                        repository=page.repository,
                        path=page.path,
                        category=page.category,
                        relevant=(answer,),
                        target=answer.unit,
                    )


def _links(parsed: Sequence[Block]) -> Iterator[tuple[str, re.Match[str]]]:
    for block in parsed:
        if block.kind == "text":
            for link in _LINK.finditer(block.text):
                yield block.text, link


def _target(pages: Mapping[tuple[str, str], Document], page: Document, file: str) -> Document | None:
    """The page that a link names: beside its own; with a ``/`` ahead, below any folder above it."""
    if not file:
        return page
    folder = dirname(page.path)
    folders = [folder]
    while file.startswith("/") and folders[-1]:
        folders.append(dirname(folders[-1]))
    for each in folders:
        path = normpath(f"{each}/{file.lstrip('/')}").lstrip("/")
        for candidate in (path, f"{path}.md", f"{path}/index.md"):
            if (page.repository, candidate) in pages:
                return pages[page.repository, candidate]
    return None


def _answer(target: Document, parsed: Sequence[Block], anchor: str | None) -> RelevantSpan | None:
    """The section under the anchor's heading; without an anchor the first heading and what it says first."""
    for heading, block in enumerate(parsed):
        if not block.level or (anchor and slug(block.text) != anchor):
            continue
        start, end = section(parsed, heading)
        if not anchor:
            end = max([block.end, *(each.end for each in lead(parsed, heading))])
        return RelevantSpan(target.repository, target.path, start, end, plain(block.text))
    return None


def slug(heading: str) -> str:
    """The anchor that sites make of a heading: ``Base item (KItem)`` → ``base-item-kitem``."""
    return _NOT_SLUG.sub("", plain(heading).lower()).strip().replace(" ", "-")
