"""How long a stretch of a text is: in characters, or in tokens.

What does not belong here: where to cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Ruler(Protocol):
    """Measures stretches of one text.

    Attributes:
        exact: Whether any stretch that begins where another does and ends earlier measures no more than that.
    """

    exact: bool

    def reach(self, start: int, size: int) -> int:
        """The furthest place (in characters) up to which the text from ``start`` measures at most ``size``.

        It is behind ``start`` by one character at least, and may be behind the text's end.
        """
        ...

    def back(self, end: int, size: int) -> int:
        """Likewise the first place from which what is ahead of ``end`` measures that; it may be negative."""
        ...

    def fits(self, start: int, end: int, size: int) -> bool:
        """Whether ``[start, end)`` measures at most ``size``."""
        ...


Measure = Callable[[str], Ruler]
"""Makes the ruler of a text."""


class CharacterRuler:
    """Measures in characters (code points)."""

    exact = True

    def reach(self, start: int, size: int) -> int:
        """``size`` characters on."""
        return start + size

    def back(self, end: int, size: int) -> int:
        """``size`` characters back."""
        return end - size

    def fits(self, start: int, end: int, size: int) -> bool:
        """Whether there are at most ``size`` characters."""
        return end - start <= size


def characters(text: str) -> Ruler:
    """The ruler that measures a text in characters."""
    return CharacterRuler()
