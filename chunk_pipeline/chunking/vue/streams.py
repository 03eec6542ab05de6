"""A Vue component's blocks as streams of their own, each cut by the splitter of its language.

What does not belong here: where blocks are (``vue_blocks``), and headers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.code_langchain import (
    HTML,
    JAVASCRIPT,
    PLAIN,
    Splitter,
    chunks_of,
    cut_whole,
)
from chunk_pipeline.chunking.line_ends import UnixText
from chunk_pipeline.chunking.vue.blocks import Block, nested_templates, unclosed_block, vue_blocks

SPLITTERS: Mapping[str, Splitter] = {"template": HTML, "script": JAVASCRIPT, "style": PLAIN}

TAG = "tag of a block"
NESTED = "template text behind the end of a nested template"
OUTSIDE = "outside template, script and style"

_TEMPLATE_END = "</template"
_NO_FACTS = ChunkMetadata()


def cut_streams(text: str) -> Iterator[tuple[str | None, Chunk | Skip]]:
    """Cut each block of a component; what is in none is skipped with a reason.

    Where there is no block with content, or one is not closed, the whole is cut as HTML, with
    ``metadata.fallback``.

    Yields:
        The block's name and a chunk of it, in order; ``None`` with skips and where there are no blocks.
    """
    unix = UnixText(text)
    blocks = vue_blocks(unix.text)
    reason = _inapplicable(unix.text, blocks)
    if reason:
        for each in cut_whole(text, HTML, reason):
            yield None, each
        return
    for skip in _skips(unix.text, blocks):
        yield None, Skip(unix.stored(skip.span), skip.reason)
    for block in blocks:
        spans = SPLITTERS[block.name].spans(unix.text, block.content)
        for chunk in chunks_of(text, map(unix.stored, spans), _NO_FACTS):
            yield block.name, chunk


def _inapplicable(text: str, blocks: list[Block]) -> str | None:
    if not any(len(block.content) for block in blocks):
        return "no template, script or style with content"
    unclosed = unclosed_block(text, blocks)
    return f"{unclosed} is not closed" if unclosed else None


def _skips(text: str, blocks: list[Block]) -> Iterator[Skip]:
    """What is in no block's content, without the white space at its ends."""
    position, depth = 0, 0
    for block in blocks:
        yield from _between(text, position, block.start, depth)
        yield from _stretch(text, block.start, block.content.start, TAG)
        yield from _stretch(text, block.content.end, block.end, TAG)
        depth = max(0, depth - text.count(_TEMPLATE_END, position, block.start))
        depth = depth + nested_templates(text, block) if block.name == "template" else 0
        position = block.end
    yield from _between(text, position, len(text), depth)


def _between(text: str, start: int, end: int, depth: int) -> Iterator[Skip]:
    """What stands between two blocks, the first part of it in so many templates that were not closed."""
    inside = start
    while depth and inside < end:
        ending = text.find(_TEMPLATE_END, inside, end)
        inside = end if ending < 0 else text.find(">", ending, end) + 1 or end
        depth -= 1
    yield from _stretch(text, start, inside, NESTED)
    yield from _stretch(text, inside, end, OUTSIDE)


def _stretch(text: str, start: int, end: int, reason: str) -> Iterator[Skip]:
    inside = text[start:end]
    if inside.strip():
        yield Skip(Span(start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())), reason)
