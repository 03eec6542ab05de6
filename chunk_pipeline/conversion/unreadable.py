"""What is wrong with a file that Docling cannot read, in our own words, and what to do.

Docling's messages hold keys and addresses of objects, and name in one run this fault of a damaged PDF and in
another that one. The same file has to have the same reason in every run, so of a message only what is known
is made use of. What does not belong here: what is found out before Docling is asked.
"""

from __future__ import annotations

import re
from typing import Final

_KNOWN: Final[tuple[tuple[str, re.Pattern[str], str], ...]] = (
    (
        ".docx",
        re.compile(r"no item named"),
        "the DOCX names a part that is not in its archive; open it and save it anew",
    ),
    (
        ".docx",
        re.compile(r"no relationship of type|PackageNotFound|content[ -]type", re.IGNORECASE),
        "the DOCX does not say which of its parts is the document; open it and save it anew",
    ),
    (
        "",
        re.compile(r"RecursionError"),
        "it is nested deeper than Docling reads; flatten it, or cut it into smaller ones",
    ),
    ("", re.compile(r"MemoryError"), "Docling has too little memory for it; cut it into smaller ones"),
)
"""Suffix, or all where empty; what is looked for in what Docling says; and the reason."""

_OTHERWISE: Final = {
    ".docx": "the DOCX opens, but Docling cannot read what is in it; open it and save it anew",
    ".pdf": "the PDF opens, but a page or the list of its pages is damaged, and Docling cannot read it; "
    "print it to a new PDF",
    ".md": "Docling cannot read it as Markdown; look for HTML in it that is cut off",
}


def unreadable(suffix: str, said: str) -> str:
    """The reason why a file cannot be read.

    Args:
        suffix: ``.docx``, ``.pdf`` or ``.md``.
        said: All that Docling said: names of errors and their messages.

    Returns:
        One of our sentences; none of what was said is in it.
    """
    for kind, known, reason in _KNOWN:
        if kind in ("", suffix) and known.search(said):
            return reason
    return _OTHERWISE[suffix]
