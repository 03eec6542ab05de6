"""Route ``i18n_value``: a translated text is the query, the files that hold exactly it are the answer.

It asks what a person asks who sees a label on the screen and looks for where it is defined. The queries are
words of the answer, so lexical retrieval is favoured by construction.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.parsed import parsed
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route

SHORTEST = 8
"""Characters of the shortest value that is a query: below, values are single words."""

LONGEST = 80
"""Characters of the longest: above, nobody types it."""

MOST_FILES = 4
"""A value in more files than this tells no file from another."""

PER_FILE = 8
"""Queries taken from a file, so that large files do not outweigh the others."""

_LETTER = re.compile("[A-Za-z]")


class I18nValue(Route):
    """String leaves of 8 to 80 characters with an ASCII letter; per file the 8 rarest, longest first."""

    name = "i18n_value"
    categories = frozenset({"i18n_translations"})

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; ties keep the order in which values are first seen."""
        answers: dict[str, list[RelevantSpan]] = defaultdict(list)
        values: dict[str, list[str]] = {}
        sources = {document.name: document for document in documents}
        for document, found in _spans(documents):
            for value, span in found:
                answers[value].append(span)
            values[document.name] = list(dict.fromkeys(value for value, _ in found))
        spread = {
            value: len({(span.repository, span.path) for span in spans}) for value, spans in answers.items()
        }
        for name, seen in values.items():
            usable = [value for value in seen if spread[value] <= MOST_FILES]
            usable.sort(key=lambda value: (spread[value], -len(value)))
            for value in usable[:PER_FILE]:
                source = sources[name]
                yield GoldQuery(
                    query=value,
                    route=self.name,
                    repository=source.repository,
                    path=source.path,
                    category=source.category,
                    relevant=tuple(answers[value]),
                )


def _spans(documents: Sequence[Document]) -> Iterator[tuple[Document, list[tuple[str, RelevantSpan]]]]:
    """Each document with the values that may be queries and the string nodes that hold them."""
    for document, root in parsed(documents):
        found = []
        for pointer, node in root.leaves():
            if node.kind != "string":
                continue
            value = str(node.value(document.text)).strip()
            if SHORTEST <= len(value) <= LONGEST and _LETTER.search(value):
                span = RelevantSpan(document.repository, document.path, node.start, node.end, pointer)
                found.append((value, span))
        yield document, found
