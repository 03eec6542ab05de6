"""Names of text encodings, checked."""

from __future__ import annotations

import contextlib


def known_encodings(encodings: tuple[str, ...]) -> tuple[str, ...]:
    """The names, if each is a text encoding.

    Raises:
        ValueError: One is not; the message says which.
    """
    for encoding in encodings:
        try:
            with contextlib.suppress(UnicodeError):  # one byte is no text in some (utf-16), which is fine
                b"a".decode(encoding)
        except LookupError as error:
            raise ValueError(f"{encoding!r} is not a text encoding; write one like 'latin-1'") from error
    return encodings
