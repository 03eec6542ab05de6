"""The rules of a filter profile, in order: the first that applies to a file is its reason.

Pure functions of name, size and text. The first five are those of the reference study; content rules of ours
(``empty``, ``lfs_pointer``) come between them and its last two. Reading does not belong here (``filtering``).
"""

from __future__ import annotations

import re

from chunk_pipeline.corpus.entry import Entry
from chunk_pipeline.corpus.paths import file_name, suffix
from chunk_pipeline.corpus.profiles import Profile

NOT_WHITELISTED = "extension_not_in_whitelist"
TOO_LARGE = "file_too_large"
EMPTY = "empty"
LONG_LINE = "long_line_minified_or_data"

_PATTERN = re.compile(r"\.(?:min|bundle|chunk)\.\w+\Z|-lock\.json\Z|\A\.")
_LFS = b"version https://git-lfs.github.com/spec/v1\n"
_LFS_LIMIT = 1024


def reason_before_reading(entry: Entry, profile: Profile) -> str | None:
    """Why a path is dropped without looking into it, or ``None``: its kind, then the study's rules 1 to 5."""
    if entry.kind in ("symlink", "submodule", "special"):
        return entry.kind
    if entry.path.endswith("/"):  # a folder that may not be listed: what it holds is not known
        return None
    name = file_name(entry.path)
    ending = suffix(entry.path)
    rules = (
        ("excluded_filename", name in profile.excluded_names),
        ("binary_or_non_text", ending in profile.excluded_suffixes),
        ("no_extension", not ending),
        ("pattern_match", bool(_PATTERN.search(name))),
        (TOO_LARGE, entry.size > profile.cap),
        (EMPTY, entry.kind == "file" and entry.size == 0),
    )
    return next((reason for reason, applies in rules if applies), None)


def is_lfs_pointer(data: bytes) -> bool:
    """Whether the bytes stand for a file that Git LFS holds elsewhere (git-lfs specification, version 1)."""
    return len(data) < _LFS_LIMIT and data.startswith(_LFS)


def reason_by_text(text: str, path: str, profile: Profile) -> str | None:
    """Why a file is dropped for its content, or ``None``: empty, then the study's rules 6 and 7."""
    if not text or text.isspace():
        return EMPTY
    if has_long_line(text, profile.max_line):
        return LONG_LINE
    return None if is_whitelisted(path, profile) else NOT_WHITELISTED


def has_long_line(text: str, limit: int) -> bool:
    """Whether a line (ended by LF, CR or both, which do not count) has more characters than the limit."""
    if len(text) <= limit:
        return False
    return any(len(line) > limit for part in text.split("\n") for line in part.split("\r"))


def is_whitelisted(path: str, profile: Profile) -> bool:
    """Whether the profile keeps files of that suffix."""
    return profile.whitelist is None or suffix(path) in profile.whitelist


def refusal(reason: str, path: str, profile: Profile) -> str | None:
    """Why a file must not be dropped in silence, for the quarantine; ``None`` where dropping is right.

    A profile may say that each file of its whitelist is expected to be read, the empty and the huge as well.
    """
    if profile.refused == "drop" or not is_whitelisted(path, profile):
        return None
    return {
        EMPTY: "empty: the file holds no text",
        TOO_LARGE: f"{TOO_LARGE}: over the profile's cap of {profile.cap:,} bytes; raise 'cap', or split it",
        LONG_LINE: f"{LONG_LINE}: a line is over the profile's {profile.max_line:,} characters; "
        "raise 'max_line'",
    }.get(reason)
