"""The header of a document's chunk: the headings that it stands under, as many as there is room for.

What does not belong here: the body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

JOINT = " > "
ELLIPSIS = "…"

SHARE = 3
"""A header has at most this part of what the chunk may have."""


def header(path: Sequence[str], size: Callable[[str], int], ceiling: int) -> str:
    """The heading path in at most a third of the ceiling.

    Of a long one the innermost and the outermost stay, then the innermost, then its beginning.

    Args:
        path: Headings, outermost first.
        size: Tokens of a text.
        ceiling: Tokens that a chunk may have.
    """
    room = ceiling // SHARE - size("")
    for titles in _shorter(path):
        text = JOINT.join(titles)
        if size(text) - size("") <= room:
            return text
    return ""


def _shorter(path: Sequence[str]) -> list[Sequence[str]]:
    if not path:
        return [()]
    inner = path[-1]
    tries: list[Sequence[str]] = [path]
    if len(path) > 2:
        tries += [(path[0], ELLIPSIS, *path[kept:]) for kept in range(2, len(path))]
    if len(path) > 1:
        tries.append((ELLIPSIS, inner))
    length = len(inner) // 2
    while length > 8:
        tries.append((inner[:length].rstrip() + ELLIPSIS,))
        length //= 2
    return tries
