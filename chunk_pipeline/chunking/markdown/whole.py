"""Making a chunk of Markdown whole: a code fence that is open at its end is closed behind it.

What does not belong here: where chunks begin and end, and what a fence is (``markdown.fences``).
"""

from __future__ import annotations

import re

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata
from chunk_pipeline.chunking.markdown.fences import closing_of_open_fence, mentions_fence
from chunk_pipeline.chunking.syntax import parses

_TAG = re.compile(r"^[^\w`<]*<", re.MULTILINE)
_PLAIN_FENCE = re.compile(r"^(```|~~~)([^`~\n]*)$", re.MULTILINE)
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
    fences = _PLAIN_FENCE.findall(passage)
    if len(fences) % 2 or len(fences) != passage.count("```") + passage.count("~~~"):
        return False
    pairs = zip(fences[::2], fences[1::2], strict=True)
    return all(first[0] == last[0] and not last[1].strip() for first, last in pairs)
