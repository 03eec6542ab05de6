"""Whether every code fence in a piece of Markdown is closed, by a CommonMark parse (pulldown-cmark).

What does not belong here: the blocks of a document (``markdown.blocks``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.chunking.markdown.lines import Fence, fence_of

_LONE_RETURN = re.compile(r"\r(?!\n)")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKER = re.compile(r"[^>\s]")
_CONTAINERS = " \t>"


class _Fenced(NamedTuple):
    """A fenced code block.

    Attributes:
        prefix: What its first line has ahead of the fence.
        fence: What it begins with.
        lines: Its lines.
        is_last: Whether the text ends with it.
    """

    prefix: str
    fence: Fence
    lines: tuple[str, ...]
    is_last: bool

    @property
    def is_closed(self) -> bool:
        """Whether its last line closes it."""
        return len(self.lines) > 1 and self.fence.is_closed_by(self.lines[-1].lstrip(_CONTAINERS))


def parsable(text: str) -> str:
    """The text as the parser understands it, as long as it is.

    What UTF-8 cannot hold is replaced, character by character; a line end of old Macintoshes is a line feed.
    """
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)
    try:
        text.encode()  # Many times as fast as looking for what cannot be.
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text)
    return text


def mentions_fence(text: str) -> bool:
    """Whether there is anything in the text that could be a code fence."""
    return "```" in text or "~~~" in text


def closing_of_open_fence(text: str) -> str:
    """What closes the fence that is open at the end of a text: a line break and the fence; or nothing.

    A fence in a quote or a list, which its container ends, is open only where the text ends in it.
    """
    if not mentions_fence(text):
        return ""
    for block in _fenced_blocks(text):
        if block.is_last and not block.is_closed:
            return f"\n{container_prefix(block.prefix)}{block.fence.mark * block.fence.length}"
    return ""


def fences_are_whole(text: str) -> bool:
    """Whether no fence is open at the end, and no fence holds a line that begins one just as long.

    To CommonMark such a line is code. But in a piece that begins inside a fenced block the block's end looks
    like a beginning, and the fence that the next block begins with then stands inside it; who shows a fence
    in a fence makes one of the two longer.
    """
    if not mentions_fence(text):
        return True
    for block in _fenced_blocks(text):
        if block.is_last and not block.is_closed:
            return False
        if any(_begins_one(line, block.fence) for line in block.lines[1:]):
            return False
    return True


def container_prefix(ahead: str) -> str:
    """What a line must begin with to be in the containers of a line that has this ahead of its content.

    The marks of quotes stay, for lists their indentation is enough.
    """
    return _MARKER.sub(" ", ahead)


def _begins_one(line: str, fence: Fence) -> bool:
    content = line.lstrip(_CONTAINERS)
    inner = fence_of(content)
    return (
        inner is not None
        and inner.mark == fence.mark
        and inner.length == fence.length
        and bool(content.strip().strip(fence.mark))
    )


def _fenced_blocks(text: str) -> Iterator[_Fenced]:
    from pyromark import Options, events_with_range

    text = parsable(text)
    source = text.encode()
    end = len(source.rstrip())
    for event, place in events_with_range(text, options=Options.ENABLE_FOOTNOTES | Options.ENABLE_TABLES):
        start = event.get("Start") if isinstance(event, dict) else None
        kind = start.get("CodeBlock") if isinstance(start, dict) else None
        if not isinstance(kind, dict):
            continue
        lines = source[place["start"] : place["end"]].decode().rstrip().splitlines()
        fence = fence_of(lines[0]) if lines else None
        if fence:
            begins = source.rfind(b"\n", 0, place["start"]) + 1
            prefix = source[begins : place["start"]].decode()
            yield _Fenced(prefix, fence, tuple(lines), place["end"] >= end)
