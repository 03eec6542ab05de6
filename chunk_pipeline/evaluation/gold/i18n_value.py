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
    asks = "Where is this text of the user interface defined?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; ties keep the order in which values are first seen over all files."""
        answers: dict[str, list[RelevantSpan]] = defaultdict(list)
        sources = {(document.repository, document.path): document for document in documents}
        for value, span in _values(documents):
            answers[value].append(span)
        # Values in the order in which they are first seen in any file: that of ties.
        by_file: dict[tuple[str, str], list[tuple[int, str]]] = {file: [] for file in sources}
        for value, spans in answers.items():
            files = dict.fromkeys((span.repository, span.path) for span in spans)
            for file in files if len(files) <= MOST_FILES else ():
                by_file[file].append((len(files), value))
        for file, values in by_file.items():
            for _, value in sorted(values, key=lambda each: (each[0], -len(each[1])))[:PER_FILE]:
                yield GoldQuery(
                    query=value,
                    route=self.name,
                    repository=file[0],
                    path=file[1],
                    category=sources[file].category,
                    relevant=tuple(answers[value]),
                    target=value,
                )


def _values(documents: Sequence[Document]) -> Iterator[tuple[str, RelevantSpan]]:
    """Every value that may be a query, stripped, with the string node that holds it."""
    for document, root in parsed(documents):
        for pointer, node in root.leaves():
            if node.kind != "string":
                continue
            value = str(node.value(document.text)).strip()
            if SHORTEST <= len(value) <= LONGEST and _LETTER.search(value):
                yield value, RelevantSpan(document.repository, document.path, node.start, node.end, pointer)
