"""The Vue strategies A, B, C, D and E of the Kalisio chunking study.

All five are baselines: langchain-text-splitters as people use it, with exact spans. C knows that a component
is made of blocks, D and E say in a first line which one a chunk is from. What does not belong here: cutting
on a parse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.code_langchain import HTML, PLAIN, SIZE, cut_whole
from chunk_pipeline.chunking.json.strategies import breadcrumb
from chunk_pipeline.chunking.registry import Strategy, register
from chunk_pipeline.chunking.vue.component import component_words
from chunk_pipeline.chunking.vue.streams import cut_streams


class _VueStrategy(Strategy):
    """What the five have in common."""

    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"vue"})
    limit: ClassVar[int] = SIZE
    format: ClassVar[str] = "vue"


@register
class VueRecursive(_VueStrategy):
    """Recursive character split of the component (strategy A)."""

    name = "vue_recursive"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut at blank lines, line ends and spaces."""
        return cut_whole(document.text, PLAIN)


@register
class VueLanguage(_VueStrategy):
    """LangChain's split for HTML (strategy B)."""

    name = "vue_language"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut ahead of the tags that LangChain knows."""
        return cut_whole(document.text, HTML)


@register
class VueBlocks(_VueStrategy):
    """Template, script and style cut one by one (strategy C)."""

    name = "vue_blocks"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut the inside of each block by its own splitter; what is in no block is skipped."""
        for _, each in cut_streams(document.text):
            yield each


@register
class VueBlocksBreadcrumb(_VueStrategy):
    """Template, script and style cut one by one, with a line of path and block (strategy D)."""

    name = "vue_blocks_breadcrumb"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as strategy C, each chunk under ``// <repository>/<path> :: <block>``."""
        for block, each in cut_streams(document.text):
            yield each if isinstance(each, Skip) else each._replace(header=breadcrumb(document.name, block))


@register
class VueComponentBreadcrumb(_VueStrategy):
    """Template, script and style cut one by one, with a line of path, block and component (strategy E)."""

    name = "vue_component_breadcrumb"

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as strategy C, each chunk under strategy D's line with the component's name as words."""
        words = component_words(document.path)
        for block, each in cut_streams(document.text):
            if isinstance(each, Skip):
                yield each
            else:
                line = " :: ".join(part for part in (block, words) if part)
                yield each._replace(header=breadcrumb(document.name, line or None))
