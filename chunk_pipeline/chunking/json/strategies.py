"""The JSON strategies A, B, C and D of the Kalisio JSON-chunking study.

A and B are the baselines, langchain-text-splitters as people use it; C knows what kind of file it cuts, and
D says in a first line where a chunk is from. What does not belong here: how any of it is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError
from chunk_pipeline.chunking.json.langchain import cut_text, cut_tree
from chunk_pipeline.chunking.json.unit import LIMIT, MINIMUM
from chunk_pipeline.chunking.json.units import json_units
from chunk_pipeline.chunking.registry import Strategy, register

JSON_CATEGORIES = frozenset(
    {
        "package_tooling",
        "schemas_validation",
        "i18n_translations",
        "docs_meta",
        "docs_data",
        "test_config",
        "test_fixtures",
        "other",
    }
)
"""Every role that a JSON file can have."""

OVERLAP = 80
"""Characters that strategy A repeats of the chunk before."""

_LINE_BREAKING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class _JsonStrategy(Strategy):
    """What the four have in common."""

    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = JSON_CATEGORIES
    limit: ClassVar[int] = LIMIT
    languages: ClassVar[frozenset[str]] = frozenset({"json"})
    format: ClassVar[str] = "json"


@register
class JsonRecursiveText(_JsonStrategy):
    """Recursive character split of the raw text (strategy A)."""

    name = "json_recursive_text"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut without regard to JSON; nothing is unparsable."""
        return cut_text(document.text, LIMIT, OVERLAP)


@register
class JsonRecursiveTree(_JsonStrategy):
    """LangChain's recursive JSON split, dumped again on one line (strategy B)."""

    name = "json_recursive_tree"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as a tree, or as strategy A with ``metadata.fallback`` where LangChain loses values."""
        try:
            yield from cut_tree(document.text, LIMIT, MINIMUM)
        except UnparsableError as error:
            yield from cut_text(document.text, LIMIT, OVERLAP, fallback=str(error))


@register
class JsonCategory(_JsonStrategy):
    """Category-aware key split (strategy C)."""

    name = "json_category"
    version = 2
    promises_integrity = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut into the units of the document's category."""
        for unit in json_units(document):
            yield unit if isinstance(unit, Skip) else unit.chunk()


@register
class JsonCategoryBreadcrumb(_JsonStrategy):
    """Category-aware key split with a path line (strategy D)."""

    name = "json_category_breadcrumb"
    version = 2
    promises_integrity = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as strategy C, each chunk under ``// <repository>/<path> :: <unit>``."""
        for unit in json_units(document):
            if isinstance(unit, Skip):
                yield unit
            else:
                yield unit.chunk(breadcrumb(document.name, unit.word))


def breadcrumb(path: str, word: str | None) -> str:
    """The header line; characters that would break it are written as JSON escapes."""
    line = f"// {path}" if word is None else f"// {path} :: {word}"
    return _LINE_BREAKING.sub(lambda match: f"\\u{ord(match[0]):04x}", line)
