"""Inputs: everything that a result depends on, named, and the fingerprint over all of it.

Two runs with the same fingerprint give the same bytes, so the second need not work. What belongs here:
content digests of what is read, the version of the code that reads it, the settings that it heeds, the model.
What does not: clocks, paths of the machine, the order in which things were found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

Part = str | int | float | bool | None | Sequence["Part"] | Mapping[str, "Part"]

SHORT = 400
"""Bytes of JSON up to which a part is kept as it is; of a longer one only its digest."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a result was made from.

    Attributes:
        parts: By name: the value where it is short, ``sha256:<digest>`` where it is not.
    """

    parts: Mapping[str, Part]

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the named parts, hexadecimal; the order of names does not matter."""
        return _digest(_json(dict(self.parts)))

    def changed(self, before: Mapping[str, Part]) -> list[str]:
        """The names of the parts that are others than before, sorted."""
        names = sorted({*self.parts, *before})
        return [name for name in names if _json(self.parts.get(name)) != _json(before.get(name))]


def inputs_of(**parts: Part) -> Inputs:
    """Inputs by their names."""
    return Inputs({name: _short(part) for name, part in sorted(parts.items())})


def fingerprint(**parts: Part) -> str:
    """The fingerprint over named parts."""
    return inputs_of(**parts).fingerprint


def _short(part: Part) -> Part:
    written = _json(part)
    return part if len(written) <= SHORT else f"sha256:{_digest(written)}"


def _json(part: Part) -> bytes:
    return orjson.dumps(part, option=orjson.OPT_SORT_KEYS)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
