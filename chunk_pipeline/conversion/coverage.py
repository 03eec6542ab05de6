"""How much of a file's words its text holds, counted from the file itself and not by Docling.

DOCX: the ``w:t`` of its parts. PDF: the text of its pages by pdfium. Words, because converters differ in
white space, and as a multiset, because they differ in order. What does not belong here: what is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from chunk_pipeline.conversion.docx import docx_paragraphs
from chunk_pipeline.conversion.docx_parts import MAIN
from chunk_pipeline.conversion.pdf import page_texts

SHOWN = 20
"""Missing words that are listed."""

_WORD = re.compile(r"\w+")
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad\ufffe\x02]\s*\n\s*(?=\w)")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Words of a file that its text holds.

    Attributes:
        words: Words of the file, each as often as it stands there.
        found: Those that the text holds, at most as often.
        missing: Those that it does not, most frequent first, at most ``SHOWN``.
        aside: (part, words) of what does not stand in the body: notes, comments, headers and footers of a
            DOCX.
    """

    words: int
    found: int
    missing: tuple[str, ...]
    aside: tuple[tuple[str, int], ...] = ()

    @property
    def share(self) -> float:
        """Found of all; 1 for a file without words."""
        return self.found / self.words if self.words else 1.0


def extraction_coverage(data: bytes, suffix: str, text: str) -> Coverage:
    """Compare the words of a file with its text.

    Args:
        data: The file.
        suffix: ``.docx`` or ``.pdf``.
        text: What was made of it.

    Raises:
        ExtractionError: The file cannot be opened.
        KeyError: Another suffix.
    """
    parts = {".docx": docx_paragraphs, ".pdf": _pages}[suffix](data)
    counted = {name: _words("\n".join(texts)) for name, texts in parts.items()}
    there: Counter[str] = sum(counted.values(), Counter())
    missing = there - _words(text)
    body = MAIN if suffix == ".docx" else "pages"
    return Coverage(
        words=there.total(),
        found=there.total() - missing.total(),
        missing=tuple(
            word for word, _ in sorted(missing.items(), key=lambda each: (-each[1], each[0]))[:SHOWN]
        ),
        aside=tuple((name, words.total()) for name, words in counted.items() if name != body and words),
    )


def _pages(data: bytes) -> dict[str, list[str]]:
    return {"pages": page_texts(data)}


def _words(text: str) -> Counter[str]:
    """Words; one that goes over the end of a line with a hyphen counts as one."""
    return Counter(_WORD.findall(_HYPHEN.sub("", text)))
