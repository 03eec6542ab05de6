"""The header of a chunk whose text has a limit in tokens: the fullest that leaves room for the body."""

from __future__ import annotations

from collections.abc import Callable, Sequence

SHARE = 3
"""A header takes at most the limit divided by this."""


def fitted_header(headers: Sequence[str], size: Callable[[str], int], limit: int) -> str:
    """The first header that is small enough; none if none is.

    Args:
        headers: The fullest first.
        size: Tokens of a text.
        limit: Tokens of a chunk's whole text.
    """
    room = limit // SHARE
    return next((header for header in headers if size(header) <= room), "")
