"""Places where the pre-tokeniser of cl100k_base cuts a text whatever stands further off.

They are told from the kinds of the four bytes around a place, and for the indentation of lines from the run
of white space. All is a byte a place, so tables are those of ``bytes.translate``, which is several times as
fast as numpy's. What does not belong here: counting tokens.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Offsets = NDArray[np.int64]

_OTHER, _LETTER, _DIGIT, _MARK, _SPACE, _BREAK, _BLANK = range(7)
_KINDS = 7
_WHITE = frozenset({_SPACE, _BREAK, _BLANK})

ODD_SPACES = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""White space beyond ASCII."""

_AHEAD, _BEHIND = b"\x80", b" "
"""What is put at the ends, where it makes no place a cut: something solid, and white space."""


def safe_edges(source: bytes, odd_spaces: bool) -> Offsets:
    """Offsets where the pre-tokeniser always cuts, ascending, both ends of the text included.

    Args:
        source: A text in UTF-8.
        odd_spaces: Whether some of ``ODD_SPACES`` are in it; else what is beyond ASCII counts as solid.
    """
    if not source:
        return np.zeros(1, dtype=np.int64)
    padded = _AHEAD + source + _BEHIND
    kinds = np.frombuffer(padded.translate(_KIND_OF), dtype=np.uint8)
    pairs = kinds[:-1] * np.uint8(_KINDS)
    pairs += kinds[1:]
    around = pairs[1:-1] * np.uint8(2)
    around += np.frombuffer(padded.translate(_BEFORE), dtype=np.uint8)[:-3]
    around += np.frombuffer(padded.translate(_AFTER[odd_spaces]), dtype=np.uint8)[3:]
    cuts = np.ones(len(source) + 1, dtype=np.bool_)
    cuts[1:-1] = _flags(around, _CUTS[odd_spaces])
    cuts[_indents(pairs, odd_spaces)] = True
    return cuts.nonzero()[0]


def _indents(pairs: NDArray[np.uint8], odd_spaces: bool) -> Offsets:
    """Offsets behind the last line break of runs of white space that go on and end at something solid."""
    breaks = _flags(pairs, _GOES_ON).nonzero()[0]
    if not len(breaks):
        return breaks
    ends = _flags(pairs, _RUN_ENDS).nonzero()[0]
    # A run that ends with a line break is no indentation; nor is one that another line break is in.
    at = ends.searchsorted(breaks)
    inside = at < len(ends)
    breaks, at = breaks[inside], at[inside]
    last = np.ones(len(breaks), dtype=np.bool_)
    last[:-1] = at[:-1] != at[1:]
    breaks, at = breaks[last], at[last]
    offsets: Offsets = breaks[_flags(pairs[ends[at]], _INDENTS[odd_spaces])]
    return offsets


def _flags(numbers: NDArray[np.uint8], table: bytes) -> Flags:
    return np.frombuffer(numbers.tobytes().translate(table), dtype=np.bool_)


def _kind(octet: int) -> int:
    """What a byte is; one beyond ASCII is ``_OTHER``."""
    character = chr(octet)
    if octet > 127:
        return _OTHER
    if character in "\r\n":
        return _BREAK
    if character in " \t\x0b\x0c":
        return _SPACE if character == " " else _BLANK
    return _LETTER if character.isalpha() else _DIGIT if character.isdigit() else _MARK


def _is_solid(kind: int, odd_spaces: bool) -> bool:
    return kind not in _WHITE and not (odd_spaces and kind == _OTHER)


def _is_cut(joint: bool, ahead: int, behind: int, solid: bool, odd_spaces: bool) -> bool:
    """Whether there is always a cut between ``ahead`` and ``behind``.

    That is between most pairs; ahead of the last white space of a run, if that is a space; and ahead of a
    letter behind two marks, or a space and a mark.

    Args:
        joint: Whether a space or mark is before these two.
        ahead: Kind of the byte ahead.
        behind: Kind of the byte behind.
        solid: Whether something solid comes after these two.
        odd_spaces: As in ``safe_edges``.
    """
    if behind == _SPACE and ahead in _WHITE and solid:
        return True
    if joint and ahead == _MARK and behind == _LETTER:
        return True
    return not (odd_spaces and _OTHER in (ahead, behind)) and _is_cut_pair(ahead, behind)


def _is_cut_pair(ahead: int, behind: int) -> bool:
    if ahead == _BREAK:
        return behind not in _WHITE
    if ahead in (_LETTER, _DIGIT):
        return behind in _WHITE or behind == _MARK or (behind != ahead and behind in (_LETTER, _DIGIT))
    if behind == _DIGIT:
        return ahead in (_MARK, _SPACE)
    return behind == _SPACE and ahead in (_MARK, _OTHER)


def _table(values: Iterable[int]) -> bytes:
    """A table of ``bytes.translate``; 0 for the numbers that never occur."""
    return bytes(values).ljust(256, b"\0")


_PAIRS = list(product(range(_KINDS), repeat=2))
_KIND_OF = _table(map(_kind, range(256)))
_BEFORE = _table(2 * len(_PAIRS) * (kind in (_SPACE, _MARK)) for kind in _KIND_OF)
_AFTER = [_table(_is_solid(kind, odd) for kind in _KIND_OF) for odd in (False, True)]
_AROUND = list(product((False, True), _PAIRS, (False, True)))
_CUTS = [
    _table(_is_cut(joint, ahead, behind, solid, odd) for joint, (ahead, behind), solid in _AROUND)
    for odd in (False, True)
]
"""By what is before, the pair, and what is after; without and with odd spaces."""

_GOES_ON = _table(ahead == _BREAK and behind in (_SPACE, _BLANK) for ahead, behind in _PAIRS)
_RUN_ENDS = _table(ahead in _WHITE and behind not in _WHITE for ahead, behind in _PAIRS)
_INDENTS = [
    _table(ahead in (_SPACE, _BLANK) and _is_solid(behind, odd) for ahead, behind in _PAIRS)
    for odd in (False, True)
]
