"""Whether a text could be a credential: what is a placeholder, a word or a digest in plain view is none.

Pure functions of one value. Where values stand does not belong here (``tokens``, ``assignments``).
"""

from __future__ import annotations

import re
from collections import Counter
from math import log2

from chunk_pipeline.corpus.secrets.kinds import MARK

_STAND_INS = re.compile(
    r"example|placeholder|change[-_ ]?(?:me|it)|dummy|redacted|sample|your[-_]?"
    r"|my[-_]?(?:secret|password|token)|insert|replace|todo|fixme|process\.env|undefined|xxxx|\*\*\*|\.\.\.|…|0000000|<|>|\$\{|\{\{|\}\}|%\(|\$\("
)
_OTHER_THINGS = re.compile(
    r"[./~$%@#&]"  # begins as a path, a variable, a selector or a package
    r"|[a-z]:\\"
    r"|\w+://"
    r"|[\w.+-]+@[\w-]+\.\w+\Z"  # a mail address
    r"|v?\d+(?:\.\d+)+(?:[-+.]\w+)*\Z"  # a version, an address
    r"|\d[\d\-:.tz+/ ]*\Z"  # a number, a date
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z"  # a UUID
    r"|[a-z_$][\w$]*(?:\.[a-z_$][\w$]*)+\Z"  # a member of something
    r"|[a-z_$][\w$.]*[(\[]"  # a call
    r"|[a-z]+\d{0,3}(?:[-_/:][a-z]*\d{0,3})+\Z"  # words with numbers: oauth2-token
    r"|(?:sha|md|aes|hs|rs|es|base|utf|hmac)[-_]?\d+\Z",
    re.IGNORECASE,
)
_HEX = re.compile(r"[0-9a-fA-F]+\Z")
_SPACE = re.compile(r"\s")
_LETTER = re.compile(r"[A-Za-z]")
_DIGITS = re.compile(r"[0-9]+")
_SEQUENCES = ("abcdefghijklmnopqrstuvwxyz0123456789" * 2, "0123456789abcdef" * 8, "1234567890" * 8)

_REPEATED = re.compile(r"(.)\1{7}")

_FEWEST_DIFFERENT = 5
_FEWEST_IN_TOKEN = 8
_PASSWORD_LENGTH = 6
_TOKEN_LENGTH = 16
_SETTING_LENGTH = 12
_TOKEN_ENTROPY = 3.0
_LONG = 32
_LONG_DIFFERENT = 16


def is_stand_in(value: str) -> bool:
    """Whether a value only shows where the real one goes: ``<token>``, ``${VAR}``, ``changeme``, ``xxxx``."""
    lowered = value.lower()
    if MARK in value or _STAND_INS.search(lowered):
        return True
    return len(set(lowered)) < _FEWEST_DIFFERENT or any(lowered in each for each in _SEQUENCES)


def is_filler(word: str) -> bool:
    """Whether a word of a credential's shape was only made up to show the shape."""
    return "EXAMPLE" in word.upper() or len(set(word)) < _FEWEST_IN_TOKEN or bool(_REPEATED.search(word))


def entropy(value: str) -> float:
    """Shannon entropy of a value's characters, in bits a character."""
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * log2(share) for share in shares)


def could_be_password(value: str) -> bool:
    """Whether a value under a password's name could be one: no word, no placeholder, no reference."""
    if len(value) < _PASSWORD_LENGTH:
        return False
    if not _DIGITS.search(value):
        bare = value.replace("_", "").replace("-", "").rstrip("!?.:")
        if not _is_mixed(value) or bare.isalnum():
            return False
    return _is_opaque(value)


def could_be_token(value: str, *, in_settings: bool = False) -> bool:
    """Whether a value under the name of a token, key or secret could be one: long and without a pattern."""
    if len(value) < (_SETTING_LENGTH if in_settings else _TOKEN_LENGTH):
        return False
    groups = len(_DIGITS.findall(value))
    long = len(value) >= _LONG and len(set(value)) >= _LONG_DIFFERENT and _is_mixed(value)
    if not groups or not (groups > 1 or _HEX.match(value) or long):
        return False
    return entropy(value) >= _TOKEN_ENTROPY and _is_opaque(value)


def _is_mixed(value: str) -> bool:
    """Whether letters of both cases are in it."""
    return value != value.lower() and value != value.upper()


def _is_opaque(value: str) -> bool:
    """Whether a value is in ASCII, without spaces, with a letter, and not known for something else."""
    if not value.isascii() or _SPACE.search(value) or not _LETTER.search(value) or is_stand_in(value):
        return False
    return not _OTHER_THINGS.match(value)
