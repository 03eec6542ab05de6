"""Partition keys: a source's name as a slug that Dagster, folders and URLs all take, and back.

Dagster breaks on commas, ``/``, ``..`` and ``|`` in keys; file systems on long names and on names that differ
only in case. The slug holds ``a-z 0-9 . _ - ~`` alone: ``~`` and a letter is the capital letter,
``~0<base32>~`` a run of anything else in UTF-8.
"""

from __future__ import annotations

import base64
import re

MAX_KEY_LENGTH = 200
"""A folder name may have 255 bytes; prefixes (``repository=``) and suffixes (``.git.lock``) need some."""

_UNSAFE = re.compile(r"[A-Z]|^\.|(?<=\.)\.|\.\Z|[^A-Za-z0-9._-]+")
_ESCAPED = re.compile(r"~(?:0([0-9a-v]+)~|([a-z]))")
_KEY = re.compile(r"(?:[a-z0-9._-]|~[a-z]|~0[0-9a-v]+~)+")


def partition_key(name: str) -> str:
    """The slug of a source's name.

    Raises:
        ValueError: The name is empty, not encodable, or too long for a folder name.
    """
    if not name:
        raise ValueError("a name may not be empty")
    try:
        key = _UNSAFE.sub(_escape, name)
    except UnicodeEncodeError as error:
        raise ValueError(f"the name {name!r} holds a lone surrogate; write it in plain Unicode") from error
    if len(key) > MAX_KEY_LENGTH:
        raise ValueError(
            f"the name {name[:40]!r}… needs a key of {len(key)} characters, {MAX_KEY_LENGTH} are possible; "
            "choose a shorter name"
        )
    return key


def source_name(key: str) -> str:
    """The name that ``partition_key`` was given.

    Raises:
        ValueError: It is not a key that ``partition_key`` gives.
    """
    try:
        name = _ESCAPED.sub(_unescape, key) if _KEY.fullmatch(key) else ""
        genuine = bool(name) and partition_key(name) == key
    except ValueError:
        genuine = False
    if not genuine:
        raise ValueError(f"{key!r} is not a partition key of a source")
    return name


def _escape(match: re.Match[str]) -> str:
    text = match[0]
    if text.isascii() and text.isalpha():
        return f"~{text.lower()}"
    return f"~0{base64.b32hexencode(text.encode()).decode().rstrip('=').lower()}~"


def _unescape(match: re.Match[str]) -> str:
    if match[2]:
        return match[2].upper()
    code = match[1].upper()
    return base64.b32hexdecode(code + "=" * (-len(code) % 8)).decode()
