"""A source as its reader sees it: the text without the markup, and where in the source each character stands.

HTML hides text behind entities and between tags, JSON behind escapes, CSV behind quotes. A strategy for such
a format gives that text, and its chunks' spans are of the source; a reading is what holds the two to each
other. What does not belong here: how a format is read (``website``, ``conversation``, ``registry_csv``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunk_pipeline.chunking.chunk import Span, UnparsableError
from chunk_pipeline.chunking.significance import solid

Offsets = npt.NDArray[np.int64]
"""One place in the source for each character of a reading."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a source.

    Attributes:
        text: What a reader sees, or could.
        starts: Where each character of the text begins in the source, ascending; shape (characters,).
        ends: Where it ends: behind the whole entity or escape that stands for it; shape (characters,).
        names: Words that chunks may hold though their spans do not: names of columns and slots.
    """

    text: str
    starts: Offsets
    ends: Offsets
    names: frozenset[str] = frozenset()

    def significant(self, length: int) -> npt.NDArray[np.bool_]:
        """For each of the source's ``length`` characters, whether it stands for text, white space apart."""
        steps = np.zeros(length + 1, dtype=np.int64)
        shown = solid(self.text)
        np.add.at(steps, self.starts[shown], 1)
        np.add.at(steps, self.ends[shown], -1)
        return np.cumsum(steps[:length]) > 0

    def words(self, spans: Sequence[Span]) -> Counter[str]:
        """The words that stand in the spans; a word that goes over the end of one counts where it is cut."""
        held: Counter[str] = Counter()
        for span in spans:
            first, behind = np.searchsorted(self.starts, [span.start, span.end])
            held.update(words(self.text[first:behind]))
        return held

    def difference(self, body: str, spans: Sequence[Span]) -> str:
        """Why the body is not made of the words that its spans hold; empty where it is."""
        shown, held = words(body), self.words(spans)
        for word in shown - held:
            if word not in self.names:
                return f"a word that its spans do not hold: {word[:60]!r}"
        for word in held - shown:
            return f"its spans hold a word that it lacks: {word[:60]!r}"
        return ""


def words(text: str) -> Counter[str]:
    """The words of a text with their numbers: runs of letters, digits and underscores."""
    return Counter(_WORD.findall(text))


def read_as(text: str, format: str) -> Reading | None:
    """A source as its reader sees it.

    Returns:
        ``None`` where the format's chunks are slices of the source, or the source is not of the format.
    """
    read = reader(format)
    if read is None:
        return None
    try:
        return read(text)
    except UnparsableError:
        return None


def reader(format: str) -> Callable[[str], Reading] | None:
    """How a format is read; ``None`` for those whose chunks are slices of the source.

    The function it returns raises ``UnparsableError`` for a text that is not of the format. The formats
    import this module, so they are imported here when they are asked for.
    """
    if format == "html":
        from chunk_pipeline.chunking.website.reading import read_html

        return read_html
    if format == "transcript":
        from chunk_pipeline.chunking.conversation.reading import read_transcript

        return read_transcript
    if format == "csv":
        from chunk_pipeline.chunking.registry_csv.reading import read_csv

        return read_csv
    return None
