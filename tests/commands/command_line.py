"""How a command that is run in this process ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """How a command ended and what it said."""

    code: int
    output: str
    errors: str


Command = Callable[..., Told]
