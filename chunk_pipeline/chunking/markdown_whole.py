"""Making a chunk of Markdown whole: a code fence that is open at its end is closed behind it.

What does not belong here: where chunks begin and end, and what a fence is (``markdown_fences``).
"""

from __future__ import annotations

import re

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata
from chunk_pipeline.chunking.markdown_fences import closing_of_open_fence, mentions_fence
from chunk_pipeline.chunking.syntax import parses

_TAG = re.compile(r"^[^\w`<]*<", re.MULTILINE)
_PLAIN_FENCE = re.compile(r"(?:```|~~~)[^`~]*")
_NESTED = ChunkMetadata(fallback="the source opens a code fence inside one that it has not closed")


def whole(chunk: Chunk) -> Chunk:
    """The chunk with the fence closed that is still open at its end, if there is one.

    A source may leave its last fence open, and words cut out of a paragraph may look like a fence. What does
    not parse even so says why in ``metadata.fallback``.
    """
    if not chunk.opening and not mentions_fence(chunk.body):
        return chunk
    passage = chunk.passage
    if _is_plain(passage):
        return chunk
    closing = closing_of_open_fence(passage)
    if closing:
        chunk = chunk._replace(closing=chunk.closing + closing)
    return chunk if parses("markdown", chunk.passage) else chunk._replace(metadata=_NESTED)


def _is_plain(passage: str) -> bool:
    """Whether all lines with marks of a fence are fences, not indented, each closed by the next: no doubt.

    In HTML a fence is none.
    """
    if "<" in passage and _TAG.search(passage):
        return False
    lines = [line for line in passage.split("\n") if mentions_fence(line)]
    pairs = zip(lines[::2], lines[1::2], strict=False)
    return len(lines) % 2 == 0 and all(
        _PLAIN_FENCE.fullmatch(first) and first[:3] == last.rstrip() for first, last in pairs
    )
