"""What is put above each chunk of a conversation: its name, the date, and who speaks.

A name may be longer than a chunk; then it is cut, and what no longer fits is left out. What does not belong
here: the labels inside a chunk (``composing``).
"""

from __future__ import annotations

from typing import NamedTuple

from chunk_pipeline.chunking.token_pieces import Size

LONGEST_TITLE = 100
"""Characters of a conversation's or file's name that are shown."""

SHARE = 3
"""A header has at most the ceiling divided by this in tokens, less what an empty text has."""

_MARK = "…"


class Heading(NamedTuple):
    """Lines above a chunk, but for who speaks."""

    title: str
    date: str

    def above(self, label: str) -> str:
        """The whole header; ``label`` is who speaks."""
        first = " · ".join(part for part in self if part)
        return "\n".join(line for line in (first, f"{label}:" if label else "") if line)


def heading(title: str, date: str, label: str, size: Size, ceiling: int) -> tuple[Heading, str]:
    """The heading and label that leave room for a text.

    Args:
        title: The conversation's name; may be empty.
        date: When it was said; may be empty.
        label: Who speaks.
        size: Tokens of a text.
        ceiling: Tokens of the largest chunk.

    Returns:
        All of it with a title of at most ``LONGEST_TITLE`` characters if that is within a third of the
        ceiling; else with less of the title, without it, without the date, without the speaker.
    """
    room = size("") + (ceiling - size("")) // SHARE
    lengths = (LONGEST_TITLE, LONGEST_TITLE // 2, LONGEST_TITLE // 4)
    candidates = [(Heading(shortened(title, length), date), label) for length in lengths]
    candidates += [(Heading("", date), label), (Heading("", ""), label)]
    for known, said in candidates:
        if size(known.above(said) + "\n") <= room:
            return known, said
    return Heading("", ""), ""


def shortened(text: str, length: int) -> str:
    """A text of at most so many characters, cut behind a word where there is one."""
    if len(text) <= length:
        return text
    kept = text[: length - len(_MARK)]
    return (kept.rpartition(" ")[0].rstrip() or kept) + _MARK
