"""Route ``javascript_symbol``: what an exported name stands for, in words, answered by its declaration.

The rules are the reference study's. The query holds the name itself, so lexical retrieval is favoured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.javascript_declarations import exported
from chunk_pipeline.evaluation.gold.naming import even_by_size, phrase
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route

SHORTEST = 4
"""Characters of the shortest name."""

PER_FILE = 3
"""Names taken from a file, in its order."""


class JavascriptSymbol(Route):
    """Exported names of two words or more, 3 a file, at most 66 for each size of file.

    A name that several files export is asked for once and answered by each.
    """

    name = "javascript_symbol"
    categories = frozenset({"javascript"})
    asks = "How does this exported function, class or constant work?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each name, in the order of first sight."""
        answers: dict[str, list[RelevantSpan]] = defaultdict(list)
        sources: dict[str, Document] = {}
        for document in documents:
            taken = 0
            for each in exported(document):
                if len(each.name) < SHORTEST or not phrase(each.name):
                    continue
                answers[each.name].append(
                    RelevantSpan(document.repository, document.path, each.start, each.end, each.name)
                )
                if taken < PER_FILE and each.name not in sources:
                    sources[each.name] = document
                    taken += 1
        for name in even_by_size(sources):
            yield GoldQuery(
                query=f"How does {phrase(name)} ({name}) work?",
                route=self.name,
                repository=sources[name].repository,
                path=sources[name].path,
                category=sources[name].category,
                relevant=tuple(dict.fromkeys(answers[name])),
                target=name,
            )
