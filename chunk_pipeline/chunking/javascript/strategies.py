"""The JavaScript strategies A, B, C and D of the Kalisio chunking study, for TypeScript as well.

All four are baselines: langchain-text-splitters as people use it, with exact spans. They look at separators
and lengths, so a chunk rarely parses on its own. What does not belong here: cutting on a parse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.code_langchain import JAVASCRIPT, PLAIN, SIZE, cut_whole
from chunk_pipeline.chunking.javascript.symbols import Symbols
from chunk_pipeline.chunking.json.strategies import breadcrumb
from chunk_pipeline.chunking.registry import Strategy, register

LARGE = JAVASCRIPT._replace(size=1400, overlap=200)
"""The splitter of strategy C."""


class _JavascriptStrategy(Strategy):
    """What the four have in common."""

    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"javascript"})
    limit: ClassVar[int] = SIZE
    format: ClassVar[str] = "javascript"


@register
class JsRecursive(_JavascriptStrategy):
    """Recursive character split of the script (strategy A)."""

    name = "js_recursive"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut at blank lines, line ends and spaces."""
        return cut_whole(document.text, PLAIN)


@register
class JsLanguage(_JavascriptStrategy):
    """LangChain's split for JavaScript (strategy B)."""

    name = "js_language"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut ahead of keywords at the start of a line first."""
        return cut_whole(document.text, JAVASCRIPT)


@register
class JsLanguageLarge(_JavascriptStrategy):
    """LangChain's split for JavaScript, in larger chunks (strategy C)."""

    name = "js_language_large"
    limit = LARGE.size

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as strategy B, at 1,400 characters with an overlap of 200."""
        return cut_whole(document.text, LARGE)


@register
class JsLanguageBreadcrumb(_JavascriptStrategy):
    """LangChain's split for JavaScript with a line of path and symbol (strategy D)."""

    name = "js_language_breadcrumb"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as strategy B, each chunk under ``// <repository>/<path> :: <symbol>``.

        The symbol is the last one declared in the chunk or ahead of it; without any, the path stands alone.
        """
        symbols = Symbols(document.text)
        for each in cut_whole(document.text, JAVASCRIPT):
            if isinstance(each, Skip):
                yield each
            else:
                symbol = symbols.before(each.spans[-1].end)
                yield each._replace(header=breadcrumb(document.name, symbol))
