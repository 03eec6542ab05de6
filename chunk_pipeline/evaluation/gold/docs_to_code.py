"""Route ``docs_to_code``: what the documentation says about a function, answered by the function's code.

Every word that is in the code is taken out of the sentence, so that no identifier leads to the answer and the
route is not lexical by construction. The page that the sentence is from is in the index as well: it may rank
above the code without being an answer, which holds for all strategies alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.documented import documented
from chunk_pipeline.evaluation.gold.javascript_declarations import functions
from chunk_pipeline.evaluation.gold.masking import masked_sentence
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route, united

MOST_ANSWERS = 3
"""A name that more functions of the repository have is not what the page is about for sure."""

PER_PAGE = 8
"""Queries taken from a page, in its order."""


class DocsToCode(Route):
    """A sentence about ``name(`` in Markdown, masked; answered by functions of that name, 8 a page."""

    name = "docs_to_code"
    categories = frozenset({"markdown", "javascript"})
    asks = "Which function does what this sentence of the documentation says, its identifiers left out?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; words that several functions give are one query with all their answers."""
        yield from united(self._mine(documents))

    def _mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """The queries in the order of pages."""
        answers = _functions([each for each in documents if each.category == "javascript"])
        taken: dict[str, int] = defaultdict(int)
        for each in documented([document for document in documents if document.category == "markdown"]):
            found = answers.get((each.document.repository, each.symbol), {})
            usable = 0 < len(found) <= MOST_ANSWERS
            query = masked_sentence(each.text, "\n".join(found.values())) if usable else ""
            if query and taken[each.document.name] < PER_PAGE:
                taken[each.document.name] += 1
                yield GoldQuery(
                    query=query,
                    route=self.name,
                    repository=each.document.repository,
                    path=each.document.path,
                    category="javascript",
                    relevant=tuple(found),
                    target=each.symbol,
                )


def _functions(documents: Sequence[Document]) -> dict[tuple[str, str], dict[RelevantSpan, str]]:
    """The functions of each repository by their name: span and text."""
    found: dict[tuple[str, str], dict[RelevantSpan, str]] = defaultdict(dict)
    for document in documents:
        for each in functions(document):
            span = RelevantSpan(document.repository, document.path, each.start, each.end, each.name)
            found[document.repository, each.name][span] = document.text[each.start : each.end]
    return found
