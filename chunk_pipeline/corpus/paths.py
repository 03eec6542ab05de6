"""Paths of files as text: reversible for any bytes, with the suffix and pruning rules that all readers share.

A file system or git path is bytes; tables hold text. Reading files does not belong here.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_ESCAPE = re.compile(rb"\\(\\|x[0-9a-f]{2})")


def escape_path(raw: bytes) -> str:
    r"""The path as text: bytes that are not UTF-8 become ``\xff``, a backslash is doubled.

    No two paths give the same text, so rows stay distinct; ``unescape_path`` is the inverse.
    """
    return raw.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


def unescape_path(path: str) -> bytes:
    """The bytes that ``escape_path`` was given."""
    return _ESCAPE.sub(_unescaped, path.encode())


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return code if code == b"\\" else bytes.fromhex(code[1:].decode())


def file_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def suffix(path: str) -> str:
    """The last suffix in lower case with its dot, or empty: ``.foo`` and ``foo.`` have none."""
    name = file_name(path)
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


def is_pruned(path: str, pruned: Collection[str], sub_path: str = "") -> bool:
    """Whether a directory above the file is pruned; those of the source's own sub-path never are."""
    below = path[len(sub_path) :] if sub_path else path
    return any(part in pruned for part in below.split("/")[:-1])
