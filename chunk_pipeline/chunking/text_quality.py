"""Signs that a text was spoilt before it came here: cut into single characters, or decoded wrongly.

Counted on the text alone. What share is too much is decided by the checks, but for ``is_exploded``: a text
that is one character a line has no words left. What does not belong here: mending it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

FEWEST_LINES: Final = 40
"""Lines with text from which the share of one-character lines says something: poems and lists are shorter."""

EXPLODED_SHARE: Final = 0.5
"""Share of one-character lines from which a text is taken as exploded."""

LONGEST_RUN: Final = 200
"""One-character lines behind each other, blank ones between, that make a text exploded whatever its share."""

FEWEST_KINDS: Final = 8
"""Different letters among them: a column of Y and N has two."""

_MOJIBAKE = re.compile(
    r"[ÂÃ][\u0080-\u00bf]"  # two bytes of UTF-8 read as Latin-1
    r"|Ã[€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ¡-¿]"  # or as cp1252
    r"|â(?:€[\u0080-\u00bf‚„…†‡‹›“”•–—˜™œž¢¦]|\u0080[\u0080-\u00bf])"  # three bytes: quotes, dashes, dots
    r"|ï»¿|ï¿½"  # a byte order mark, a replacement character
)
_LETTER = re.compile(r"[^\W\d_]")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class TextQuality:
    """What was counted in one text.

    Attributes:
        lines: Lines that are not blank.
        single: Those of one character, a letter of an alphabet; a Chinese character can be a word.
        longest_run: The most of them with no longer line between; blank lines, digits and marks do not count.
        kinds: Different letters among them.
        characters: Characters that are no white space.
        replacements: U+FFFD among them: bytes that could not be decoded.
        mojibake: Places that look like UTF-8 decoded as Latin-1 or cp1252, such as ``Ã©`` for ``é``.
        controls: C1 control characters (U+0080 to U+009F): cp1252 decoded as Latin-1.
    """

    lines: int
    single: int
    longest_run: int
    kinds: int
    characters: int
    replacements: int
    mojibake: int
    controls: int

    @property
    def single_share(self) -> float:
        """Share of the lines that are one character; 0 without lines."""
        return self.single / self.lines if self.lines else 0.0

    @property
    def is_exploded(self) -> bool:
        """Whether the text is, or holds a part that is, one character a line."""
        many = self.lines >= FEWEST_LINES and self.single_share >= EXPLODED_SHARE
        return self.kinds >= FEWEST_KINDS and (many or self.longest_run >= LONGEST_RUN)

    @property
    def damages(self) -> tuple[str, ...]:
        """What is wrong with the text, for people; empty for a text with no sign of damage."""
        said: list[str] = []
        if self.is_exploded:
            said.append(f"{self.single} of {self.lines} lines are one character, {self.longest_run} in a row")
        counts = {
            "replacement characters (U+FFFD)": self.replacements,
            "places that look decoded twice (as Ã©)": self.mojibake,
            "C1 control characters": self.controls,
        }
        said.extend(f"{count} {what}" for what, count in counts.items() if count)
        return tuple(said)


def text_quality(text: str) -> TextQuality:
    """Count the signs of damage in a text. Linear in its length."""
    lines = single = run = longest = 0
    kinds: set[str] = set()
    for line in text.splitlines():
        shown = line.strip()
        if not shown:
            continue
        lines += 1
        if len(shown) > 1:
            run = 0
        elif _LETTER.match(shown) and not _WIDE.match(shown):
            single += 1
            run += 1
            kinds.add(shown)
            longest = max(longest, run)
    return TextQuality(
        lines=lines,
        single=single,
        longest_run=longest,
        kinds=len(kinds),
        characters=sum(not each.isspace() for each in text),
        replacements=text.count("\N{REPLACEMENT CHARACTER}"),
        mojibake=len(_MOJIBAKE.findall(text)),
        controls=sum("\x80" <= each <= "\x9f" for each in text),
    )
