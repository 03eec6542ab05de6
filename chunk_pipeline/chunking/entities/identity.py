"""Which identifiers say that two records are of one entity.

Only those on the list do: an identifier of a type, a place or a person that a record names says nothing about
the record's own entity, and nobody knows what a scheme that is not listed means. A number of a legal person
(KvK) may be that of a foundation with several museums, so it counts only where nothing better contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import NamedTuple

from chunk_pipeline.chunking.facts.facts import Facts

GHCID = "GHCID"

OWN = frozenset({"ghcid", "isil", "wikidata", "viaf", "isni", "ror", "gnd", "ulan", "lcnaf", "bnf"})
"""Schemes, folded, that give an entity a number of its own."""

LEGAL = frozenset({"kvk", "rsin"})
"""Schemes, folded, that number the legal person behind an entity."""


class Key(NamedTuple):
    """An identifier as it is compared."""

    scheme: str
    value: str

    @property
    def is_own(self) -> bool:
        """Whether it is the entity's own, not its legal person's."""
        return self.scheme in OWN


def tells_apart(scheme: str) -> bool:
    """Whether identifiers of a scheme tell entities apart."""
    return scheme.casefold() in OWN or scheme.casefold() in LEGAL


def keys_of(identifiers: Iterable[tuple[str, str]]) -> MappingProxyType[Key, str]:
    """The identifiers that tell entities apart, each with ``scheme:value`` as it was written.

    Args:
        identifiers: Scheme and value; those of other schemes are left out.
    """
    found: dict[Key, str] = {}
    for scheme, value in sorted(identifiers):
        key = Key(scheme.casefold(), value.casefold())
        if tells_apart(scheme):
            found.setdefault(key, f"{scheme}:{value}")
    return MappingProxyType(found)


def identifiers_of(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Scheme and value of each identifier of the entity that facts are about, its GHCID among them."""
    listed = {(each.scheme, each.value) for each in facts.identifiers}
    if facts.ghcid:
        listed.add((GHCID, facts.ghcid))
    return tuple(sorted(listed))


def contradict(left: Iterable[Key], right: Iterable[Key]) -> bool:
    """Whether both sides have numbers of their own in one scheme, and none of these is the same."""
    ours, theirs = _own(left), _own(right)
    return any(not ours[scheme] & theirs[scheme] for scheme in ours.keys() & theirs.keys())


def _own(keys: Iterable[Key]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for key in keys:
        if key.is_own:
            found.setdefault(key.scheme, set()).add(key.value)
    return found
