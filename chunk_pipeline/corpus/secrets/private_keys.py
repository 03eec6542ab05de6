r"""Private keys in PEM: the whole block where it stands in one piece, else each piece of its body.

A key may be quoted line by line (JSON, program text) or hold its line ends as ``\n``: quotes and brackets of
what is around it are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunk_pipeline.corpus.secrets.secret import Secret, secret_at

DETECTOR = "PrivateKeyDetector"

_BEGIN = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
    r"|PuTTY-User-Key-File-[23]:"
)
_END = re.compile(r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2[A-Z ]*----")
_AROUND = re.compile(r"[\"'`<>{}\[\]();]")
_PIECE = re.compile(r"\\(?!/).|((?:[A-Za-z0-9+/=]|\\/)+)", re.DOTALL)
_REACH = 20_000
"""Characters behind a key's beginning that are looked at; a key of 16,384 bits has 13,000."""

_SHORTEST = 16
_ENOUGH = 64
"""Characters of base64 that a block must have to be a key: markers are named in prose and code as well."""


def private_keys(text: str) -> Iterator[Secret]:
    """Every private key, in the order of the text."""
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        reach = min(begin.end() + _REACH, len(text))
        following = _BEGIN.search(text, begin.end(), reach)
        end = _END.search(text, begin.end(), following.start() if following else reach)
        last = end or following
        stop = last.start() if last else reach
        for start, finish in _spans(text, begin, stop, end):
            yield secret_at(text, start, finish, "private_key", DETECTOR)
            done = finish


def _spans(
    text: str, begin: re.Match[str], stop: int, end: re.Match[str] | None
) -> Iterator[tuple[int, int]]:
    around = _AROUND.search(text, begin.end(), stop)
    pieces = list(_pieces(text, begin.end(), stop))
    if sum(finish - start for start, finish in pieces) < _ENOUGH:
        return
    if end is not None and around is None:
        yield begin.start(), end.end()
        return
    if end is None and around is None:
        # A block that was cut off: up to the last of what can be its body, not all that follows.
        yield begin.start(), pieces[-1][1]
        return
    yield from pieces


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Runs of base64 that no number or word is: long with both cases, or padded."""
    for match in _PIECE.finditer(text, start, stop):
        run = match[1]
        if run is None:
            continue
        mixed = any(each.isupper() for each in run) and any(each.islower() for each in run)
        if (len(run) >= _SHORTEST and mixed) or (run.endswith("=") and len(run) > 1 and run[0] != "="):
            yield match.span(1)
