"""Bytes to text, or a reason why not: nothing is replaced or ignored, so offsets stay exact.

A byte order mark decides; else UTF-8; else the encodings that the source declares, in that order. Guessing an
encoding does not belong here.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

# UTF-32 before UTF-16: the little-endian mark of the one begins with that of the other.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)


class UndecodableError(ValueError):
    """Bytes that are not text in any allowed encoding; the message is the quarantine reason."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without byte order mark, line ends as they were, and the encoding that gave it."""

    text: str
    encoding: str


def decode(data: bytes, fallbacks: Sequence[str] = ()) -> Decoded:
    """The text of a file.

    Args:
        data: The whole file.
        fallbacks: Encodings to try after UTF-8, such as ``latin-1``.

    Raises:
        UndecodableError: No encoding fits, or the text holds a NUL character (then it is binary).
    """
    for mark, encoding, name in _MARKS:
        if data.startswith(mark):
            return Decoded(_text(data[len(mark) :], encoding), name)
    reasons = []
    for encoding in ("utf-8", *fallbacks):
        try:
            return Decoded(_text(data, encoding), codecs.lookup(encoding).name)
        except UndecodableError as error:
            reasons.append(str(error))
    raise UndecodableError("; ".join(reasons))


def _text(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
        text.encode()  # some declared codecs (utf-7) give lone surrogates, which no table can hold
    except UnicodeDecodeError as error:
        raise UndecodableError(f"not {encoding}: {error.reason} at byte {error.start}") from error
    except UnicodeEncodeError as error:
        raise UndecodableError(f"not {encoding}: a lone surrogate at character {error.start}") from error
    if (position := text.find("\0")) >= 0:
        raise UndecodableError(f"binary: NUL character at {position} as {encoding}")
    return text
