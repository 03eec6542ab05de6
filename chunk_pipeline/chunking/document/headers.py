"""The headers that a document's chunk may have: the headings that it stands under, the fullest first.

What does not belong here: how much room there is (``fitted_header``), and the body.
"""

from __future__ import annotations

from collections.abc import Sequence

JOINT = " > "
ELLIPSIS = "…"
SHORTEST = 8
"""Characters of a heading that are worth showing."""


def headers(path: Sequence[str]) -> tuple[str, ...]:
    """The heading path and shorter ones.

    First headings between the outermost and the innermost are left out, then the outermost, then the end of
    the innermost.

    Args:
        path: Headings, outermost first.
    """
    if not path:
        return ()
    inner = path[-1]
    tries = [path]
    if len(path) > 2:
        tries += [(path[0], ELLIPSIS, *path[kept:]) for kept in range(2, len(path))]
    if len(path) > 1:
        tries += [(ELLIPSIS, inner), (inner,)]
    length = len(inner) // 2
    while length > SHORTEST:
        tries.append((inner[:length].rstrip() + ELLIPSIS,))
        length //= 2
    return tuple(JOINT.join(titles) for titles in tries)
