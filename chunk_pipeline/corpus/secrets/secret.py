"""What is known of a secret that was found; never its value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """Where a secret stands in a text.

    Attributes:
        start: First character of the value.
        end: Behind its last one.
        kind: One of ``kinds.KINDS``.
        detector: What found it: a plugin of detect-secrets, or a rule of ours.
    """

    start: int
    end: int
    kind: str
    detector: str


def secret_at(text: str, start: int, end: int, kind: str, detector: str) -> Secret:
    """A secret of a text: what is left of an escape at its ends stays, so that what is around stays valid."""
    backslashes = start
    while backslashes and text[backslashes - 1] == "\\":
        backslashes -= 1
    if (start - backslashes) % 2:
        start += 1
    while end > start and text[end - 1] == "\\":
        end -= 1
    return Secret(start, end, kind, detector)
