"""Route ``vue_component``: a component or composable, by name and in words, answered by its code.

The reference study mines component names, ``useXxx`` composables and ``name`` options in kebab case; its
wording is not published, so it is that of ``javascript_symbol`` here. A component that has a ``name``
option is asked for by it, as templates name it. The query holds the name, so lexical retrieval is
favoured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.naming import even_by_size, phrase
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route
from chunk_pipeline.evaluation.gold.vue_files import (
    component_name,
    component_spans,
    composable_calls,
    name_option,
)

SHORTEST = 4
"""Characters of the shortest name."""

PER_FILE = 3
"""Names taken from a file: the component's, then the composables', in the order of calls."""

MOST_FILES = 4
"""A composable that is called in more files than this tells no file from another."""


class VueComponent(Route):
    """Components of two words or more and composables, 3 names a file, at most 66 for each size of file.

    A component is answered by its template and scripts, a composable by the statements that call it.
    """

    name = "vue_component"
    categories = frozenset({"vue"})
    asks = "How does this component work, or where is this composable used?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each name, in the order of first sight."""
        answers: dict[str, list[RelevantSpan]] = defaultdict(list)
        files: dict[str, dict[str, Document]] = defaultdict(dict)
        composables = set()
        for document in documents:
            name = name_option(document) or component_name(document)
            answers[name] += component_spans(document)
            files[name][document.name] = document
            for called, span in composable_calls(document):
                composables.add(called)
                answers[called].append(span)
                files[called][document.name] = document
        for name, document in _chosen(files, composables, answers).items():
            yield GoldQuery(
                query=_question(name, name in composables),
                route=self.name,
                repository=document.repository,
                path=document.path,
                category=document.category,
                relevant=tuple(dict.fromkeys(answers[name])),
                target=name,
            )


def _chosen(
    files: dict[str, dict[str, Document]], composables: set[str], answers: dict[str, list[RelevantSpan]]
) -> dict[str, Document]:
    """The names that are asked for, each with the file that it is mined from."""
    taken: dict[str, int] = defaultdict(int)
    usable: dict[str, Document] = {}
    for name, holders in files.items():
        if len(name) < SHORTEST or not _words(name, name in composables) or not answers[name]:
            continue
        if name in composables and len(holders) > MOST_FILES:
            continue
        first = next(iter(holders.values()))
        if taken[first.name] < PER_FILE:
            taken[first.name] += 1
            usable[name] = first
    return {name: usable[name] for name in even_by_size(usable)}


def _words(name: str, composable: bool) -> str:
    return phrase(name, fewest=1 if composable else 2)


def _question(name: str, composable: bool) -> str:
    words = _words(name, composable)
    if composable:
        return f"Where is the {words} composable ({name}) used?"
    return f"How does the {words} component ({name}) work?"
