"""A bad input and what must become of it.

The cases are in ``json_cases``, ``yaml_cases`` and ``csv_cases``; how they are put through the pipeline is in
``pipeline``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import pytest

Right = Literal["quarantined", "accepted", "excluded"]


@dataclass(frozen=True)
class Case:
    """One file.

    Attributes:
        id: ``row <number in the table of bad inputs> <what it is>``.
        path: Its path in the source.
        data: Its bytes.
        right: What must become of it.
        says: What the reason must hold, in small letters; of an accepted file, what a warning must hold.
        holds: What the bodies of its chunks must hold, each of them, where it is accepted.
        encoding: What it must be noted to be written in; not looked at where empty.
        profile: The filter profile that it is read with.
    """

    id: str
    path: str
    data: bytes
    right: Right
    says: str = ""
    holds: tuple[str, ...] = ()
    encoding: str = ""
    profile: str = ""

    @property
    def row(self) -> int:
        """Its row in the table."""
        return int(self.id.split()[1])


def row_case(
    row: int,
    what: str,
    data: bytes | str,
    right: Right,
    says: str = "",
    *,
    suffix: str,
    holds: tuple[str, ...] = (),
    encoding: str = "",
    profile: str = "archive",
    path: str = "",
) -> Case:
    """A case of a row of the table, with a path that tells row and input unless one is given."""
    data = data.encode() if isinstance(data, str) else data
    path = path or f"row{row:02}/{what.replace(' ', '-').replace('/', '-')}{suffix}"
    return Case(f"row {row:02} {what}", path, data, right, says, holds, encoding, profile)


def parameters(cases: Iterable[Any]) -> list[Any]:
    """The cases as parameters of a test, counted as bad inputs."""
    return [pytest.param(case, id=case.id, marks=pytest.mark.bad_input) for case in cases]
