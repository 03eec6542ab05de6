"""How long a stretch of a text is: in characters, or in tokens.

What does not belong here: where to cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Ruler(Protocol):
    """Measures stretches of one text."""

    def reach(self, start: int, size: int) -> int:
        """The furthest place (in characters) up to which the text from ``start`` measures at most ``size``.

        It is behind ``start`` by one character at least, unless the text ends there.
        """
        ...

    def back(self, end: int, size: int) -> int:
        """Likewise the nearest place ahead of ``end`` from which the rest measures at most ``size``."""
        ...

    def fits(self, start: int, end: int, size: int) -> bool:
        """Whether ``[start, end)`` measures at most ``size``."""
        ...


Measure = Callable[[str], Ruler]
"""Makes the ruler of a text."""


class CharacterRuler:
    """Measures in characters (code points)."""

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def reach(self, start: int, size: int) -> int:
        """``size`` characters on, or the end of the text."""
        return min(self._length, start + size)

    def back(self, end: int, size: int) -> int:
        """``size`` characters back, or the beginning of the text."""
        return max(0, end - size)

    def fits(self, start: int, end: int, size: int) -> bool:
        """Whether there are at most ``size`` characters."""
        return end - start <= size


def characters(text: str) -> Ruler:
    """The ruler that measures a text in characters."""
    return CharacterRuler(text)
