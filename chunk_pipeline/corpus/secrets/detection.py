"""All secrets of a text, and the text without them. Pure; what becomes of a file is in ``treatment``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from chunk_pipeline.corpus.secrets.assignments import assignments, headers, url_passwords
from chunk_pipeline.corpus.secrets.kinds import AllowedSecret, placeholder
from chunk_pipeline.corpus.secrets.private_keys import private_keys
from chunk_pipeline.corpus.secrets.secret import Secret
from chunk_pipeline.corpus.secrets.tokens import tokens

_ROUNDS = 8


class Redacted(NamedTuple):
    """A text without its secrets, and where they stood in the text as it was, in order and apart."""

    text: str
    secrets: tuple[Secret, ...]


def find_secrets(text: str, path: str, allowed: Sequence[AllowedSecret] = ()) -> tuple[Secret, ...]:
    """The secrets of a text, in order; those that overlap are one, of the kind that begins first.

    Args:
        text: A decoded file.
        path: Its path, which says what its values look like.
        allowed: What is known to be none.
    """
    found = (
        *private_keys(text),
        *tokens(text),
        *url_passwords(text),
        *headers(text),
        *assignments(text, path),
    )
    kept = [each for each in found if not any(one.covers(path, each.kind) for one in allowed)]
    return _apart(kept)


def redact(text: str, path: str, allowed: Sequence[AllowedSecret] = ()) -> Redacted:
    """The text with a placeholder in each secret's place; all else stays as it was.

    What is found only after others were taken out goes as well, so redacting once more changes nothing.
    """
    secrets: tuple[Secret, ...] = ()
    redacted = text
    for _ in range(_ROUNDS):
        further = find_secrets(redacted, path, allowed)
        if not further:
            break
        secrets = _apart([*secrets, *(_in_the_original(each, secrets) for each in further)])
        redacted = without(text, secrets)
    return Redacted(redacted, secrets)


def without(text: str, secrets: Iterable[Secret]) -> str:
    """The text with placeholders for secrets that are in order and apart."""
    parts = []
    done = 0
    for each in secrets:
        parts += [text[done : each.start], placeholder(each.kind)]
        done = each.end
    return "".join([*parts, text[done:]])


def line_numbers(text: str, secrets: Iterable[Secret]) -> list[int]:
    """The line in which each secret begins, from 1; the secrets are in order."""
    numbers = []
    line, done = 1, 0
    for each in secrets:
        line += text.count("\n", done, each.start)
        done = each.start
        numbers.append(line)
    return numbers


def _apart(secrets: Iterable[Secret]) -> tuple[Secret, ...]:
    """The secrets in order, those that overlap as one."""
    apart: list[Secret] = []
    for each in sorted(secrets, key=lambda one: (one.start, -one.end, one.kind, one.detector)):
        if each.end <= each.start:
            continue
        if apart and each.start < apart[-1].end:
            apart[-1] = replace(apart[-1], end=max(apart[-1].end, each.end))
        else:
            apart.append(each)
    return tuple(apart)


def _in_the_original(found: Secret, taken: Sequence[Secret]) -> Secret:
    """A secret of a text without those taken, as a place of the text as it was."""
    start = _original(found.start, taken, is_end=False)
    return replace(found, start=start, end=_original(found.end, taken, is_end=True))


def _original(position: int, taken: Sequence[Secret], *, is_end: bool) -> int:
    """A place of a text without the secrets taken; inside a placeholder it is an end of what stood there."""
    grown = 0
    for each in taken:
        begin = each.start + grown
        length = len(placeholder(each.kind))
        if position <= begin:
            break
        if position < begin + length:
            return each.end if is_end else each.start
        grown += length - (each.end - each.start)
    return position - grown
