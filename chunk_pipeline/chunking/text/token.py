"""Windows of at most so many tokens, cut back to a mark: Spring AI's TokenTextSplitter on source offsets.

The rules are those of Spring AI 2.0.1; what they do badly there is not done here (``text.spring`` has that,
literally). Windows are of the source and not of decoded tokens, so no character is ever broken; the next
window begins where the last one ended and not where a second encoding says; nothing is left out, and there
is no last chunk of whatever size; where no mark is near, white space will do. What does not belong here:
counting tokens (``text.tokens``).
"""

from __future__ import annotations

from chunk_pipeline.chunking.text.boundaries import last_space, next_solid
from chunk_pipeline.chunking.text.graphemes import whole_before
from chunk_pipeline.chunking.text.tokens import TokenRuler

SIZE = 800
"""Tokens of cl100k_base that a chunk has at most."""

MINIMUM_CHARACTERS = 350
"""A window is cut back to a mark only if more characters than this are ahead of the mark."""

MINIMUM_LENGTH = 5
"""Characters of a chunk that is too short to be one: it joins the chunk before if the size allows."""

MARKS = (".", "?", "!", "\n")
"""Where a window may be cut back to."""


def token_cuts(
    text: str,
    size: int = SIZE,
    minimum_characters: int = MINIMUM_CHARACTERS,
    minimum_length: int = MINIMUM_LENGTH,
    marks: tuple[str, ...] = MARKS,
) -> list[tuple[int, int, int]]:
    """Cut a text into chunks of at most ``size`` tokens.

    Args:
        text: Any text.
        size: Tokens, at least 1. A single character of more tokens than that is a chunk all the same.
        minimum_characters: See ``MINIMUM_CHARACTERS``; counted from the chunk's first character.
        minimum_length: See ``MINIMUM_LENGTH``.
        marks: See ``MARKS``.

    Returns:
        (start, end, 0) in characters and in order: there is no overlap. Chunks begin and end with no white
        space, and what is between them is white space.

    Raises:
        ValueError: The size is below 1.
    """
    if size < 1:
        raise ValueError(f"size {size}: a chunk must have room for a token")
    stop = len(text.rstrip())
    if stop and len(text) <= size and len(text.encode(errors="surrogatepass")) <= size:
        # No token is shorter than a byte.
        return [(next_solid(text, 0), stop, 0)]
    ruler = TokenRuler(text)
    cuts: list[tuple[int, int, int]] = []
    end = 0
    while end < stop:
        start = next_solid(text, end)
        cut = _window_end(text, ruler, start, stop, size, minimum_characters, marks)
        if cuts and cut - start <= minimum_length and ruler.fits(cuts[-1][0], cut, size):
            start = cuts.pop()[0]
        cuts.append((start, cut, 0))
        end = cut
    return cuts


def _window_end(
    text: str, ruler: TokenRuler, start: int, stop: int, size: int, minimum: int, marks: tuple[str, ...]
) -> int:
    """Where the chunk from ``start`` ends."""
    room = size
    while room > 0:
        end = ruler.reach(start, room)
        if end < stop:
            mark = max(text.rfind(each, start, end) for each in marks)
            end = mark + 1 if mark - start > minimum else _between_words(text, start, end)
        end = start + len(text[start : min(end, stop)].rstrip())
        if ruler.fits(start, end, size):
            return end
        # The tokens at the edges are others than in the source; seldom, and by one or two.
        room -= 1
    return whole_before(text, start + 1, start + 1)


def _between_words(text: str, start: int, end: int) -> int:
    """The end, or the last white space ahead of it where a word would be cut, unless that is far."""
    if text[end].isspace() or text[end - 1].isspace():
        return end
    space = last_space(text, (start + end) // 2, end)
    return space if space > 0 else whole_before(text, end, start + 1)
