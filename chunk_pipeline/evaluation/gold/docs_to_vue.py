"""Route ``docs_to_vue``: what the documentation says about a component, answered by the component's file.

Every word that is in the component's template, scripts or name is taken out of the sentence, so that the
route is not lexical by construction. The page that the sentence is from is in the index as well: it may
rank above the component without being an answer, which holds for all strategies alike.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import Block, blocks, lead, plain
from chunk_pipeline.evaluation.gold.masking import masked_sentence, prose, sentence_with
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route, united
from chunk_pipeline.evaluation.gold.vue_files import component_name, component_spans

PER_PAGE = 8
"""Queries taken from a page, in its order."""

_NAMED = re.compile(r"(?:\*\*|`+)<?([A-Za-z][\w-]*)(?:\s*/)?>?(?:\*\*|`+)")


class DocsToVue(Route):
    """The first sentence that names a component in bold, as code or as a heading, masked; 8 a page."""

    name = "docs_to_vue"
    categories = frozenset({"markdown", "vue"})
    asks = "Which component does what this sentence of the documentation says, its names left out?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; words that several components give are one query with all their answers."""
        yield from united(self._mine(documents))

    def _mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """The queries in the order of pages."""
        components = _components([each for each in documents if each.category == "vue"])
        for page in documents:
            if page.category != "markdown":
                continue
            taken = 0
            for key, text in _texts(blocks(page.text)):
                files = components.get((page.repository, key), [])
                spans = [span for file in files for span in component_spans(file)]
                names = [component_name(file) for file in files]
                words = "\n".join([file.text for file in files] + names + [key, key.removeprefix("k")])
                query = masked_sentence(text, words) if spans and taken < PER_PAGE else ""
                if query:
                    taken += 1
                    yield _query(self.name, page, names[0], query, spans)


def _query(route: str, page: Document, component: str, query: str, spans: list[RelevantSpan]) -> GoldQuery:
    return GoldQuery(
        query=query,
        route=route,
        repository=page.repository,
        path=page.path,
        category="vue",
        relevant=tuple(spans),
        target=component,
    )


def _components(documents: Sequence[Document]) -> dict[tuple[str, str], list[Document]]:
    """The components of each repository by their key."""
    found: dict[tuple[str, str], list[Document]] = defaultdict(list)
    for document in documents:
        found[document.repository, _key(component_name(document))].append(document)
    return found


def _texts(parsed: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Key of each thing named on a page and what is first said about it, in the order of first sight."""
    seen = set()
    for place, block in enumerate(parsed):
        if block.kind == "fence":
            continue
        if block.level:
            under = next((each for each in lead(parsed, place) if each.kind == "text"), None)
            named = [(_key(plain(block.text)), prose(under.text) if under else "")]
        else:
            named = [
                (_key(name[1]), sentence_with(block.text, name.start()))
                for name in _NAMED.finditer(block.text)
            ]
        for key, text in named:
            if text and key not in seen:
                seen.add(key)
                yield key, text


def _key(name: str) -> str:
    """``KTextField`` and ``k-text-field`` are one component."""
    return name.replace("-", "").lower()
