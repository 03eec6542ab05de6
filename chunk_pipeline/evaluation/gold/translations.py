"""Translation files in pairs: the same file in another language, and the text under the same key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.json.tree import Node
from chunk_pipeline.evaluation.gold.parsed import parsed
from chunk_pipeline.evaluation.gold.query import RelevantSpan
from chunk_pipeline.retrieval.tokenizer import tokenize

ENGLISH = "en"

LARGEST_SHARE = 0.5
"""Largest share of a text's terms that its translation may have as well: above, it is hardly translated."""

_LANGUAGE = re.compile(
    r"(?P<base>.*?)(?:^|[/_.-])(?P<language>[a-z]{2})(?:[-_][A-Za-z]{2})?(?P<rest>\.json|/[^/]*\.json)\Z"
)


class Translation(NamedTuple):
    """A file of translations.

    Attributes:
        document: The file.
        base: What it has in common with the same file in other languages.
        language: Two letters (ISO 639-1) from its name.
        leaves: Each string by its JSON Pointer, with the span of its member.
    """

    document: Document
    base: tuple[str, str, str]
    language: str
    leaves: dict[str, tuple[str, RelevantSpan]]


def translations(documents: Sequence[Document]) -> list[Translation]:
    """Files whose name tells a language (``app_fr.json``, ``fr.json``, ``fr/app.json``), in their order."""
    found = []
    for document, root in parsed(documents):
        name = _LANGUAGE.match(document.path)
        if name:
            base = (document.repository, name["base"], name["rest"])
            found.append(Translation(document, base, name["language"], dict(_leaves(document, root))))
    return found


def differ(text: str, other: str) -> bool:
    """Whether a text is translated: most of its terms are not in the other."""
    terms = set(tokenize(text))
    return bool(terms) and len(terms.intersection(tokenize(other))) <= LARGEST_SHARE * len(terms)


def _leaves(document: Document, root: Node) -> Iterator[tuple[str, tuple[str, RelevantSpan]]]:
    for pointer, node in root.leaves():
        if node.kind == "string":
            span = node.member_span()
            relevant = RelevantSpan(document.repository, document.path, span.start, span.end, pointer)
            yield pointer, (str(node.value(document.text)).strip(), relevant)
