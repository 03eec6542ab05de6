"""Route ``code_to_docs``: what a comment in the code says about a function, answered by the page about it.

A sentence of the comment above a function is the query, less every word that the answering section of
Markdown holds, so the route is not lexical by construction. The code that the comment stands in is in the
index as well: it may rank above the page without being an answer, which holds for all strategies alike.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.documented import documented
from chunk_pipeline.evaluation.gold.javascript_declarations import functions
from chunk_pipeline.evaluation.gold.masking import masked_sentence, prose
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route, united

PER_FILE = 8
"""Queries taken from a script, in its order."""

_MARKS = re.compile(r"^[ \t]*(?:/\*+|\*+/|\*+|//+)?[ \t]?|\*+/[ \t]*$", re.MULTILINE)
_TAGS = re.compile(r"^[ \t]*@\w+.*", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


class CodeToDocs(Route):
    """A sentence of the comment above a function, masked; answered by the pages' sections about it."""

    name = "code_to_docs"
    categories = frozenset({"javascript", "markdown"})
    asks = "Which page documents what this comment in the code says, their common words left out?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; words that several functions give are one query with all their answers."""
        yield from united(self._mine(documents))

    def _mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """The queries in the order of scripts."""
        sections = _sections([each for each in documents if each.category == "markdown"])
        for script in documents:
            if script.category != "javascript":
                continue
            taken = 0
            for each in functions(script):
                found = sections.get((script.repository, each.name), {})
                comment = comment_prose(script.text[each.start : each.code]) if found else ""
                query = (
                    masked_sentence(comment, "\n".join([each.name, *found.values()]))
                    if taken < PER_FILE
                    else ""
                )
                if query:
                    taken += 1
                    yield _query(self.name, script, each.name, query, tuple(found))


def comment_prose(comment: str) -> str:
    """The first paragraph of comments in ``//`` or ``/** */``, their marks and tags left out."""
    text = _TAGS.sub("", _MARKS.sub("", comment)).strip()
    return prose(_PARAGRAPH.split(text, maxsplit=1)[0])


def _query(
    route: str, script: Document, symbol: str, query: str, spans: tuple[RelevantSpan, ...]
) -> GoldQuery:
    return GoldQuery(
        query=query,
        route=route,
        repository=script.repository,
        path=script.path,
        category="markdown",
        relevant=spans,
        target=symbol,
    )


def _sections(documents: Sequence[Document]) -> dict[tuple[str, str], dict[RelevantSpan, str]]:
    """What each repository's pages say about each symbol: span and text."""
    found: dict[tuple[str, str], dict[RelevantSpan, str]] = defaultdict(dict)
    for each in documented(documents):
        page = each.document
        span = RelevantSpan(page.repository, page.path, each.start, each.end, each.symbol)
        found[page.repository, each.symbol][span] = page.text[each.start : each.end]
    return found
