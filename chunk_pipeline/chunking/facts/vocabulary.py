"""The closed vocabularies of heritage facts: type letters, tiers, and how a country is known."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

TypeLetter = Literal[
    "G", "L", "A", "M", "O", "R", "C", "U", "B", "E", "S", "F", "I", "X", "P", "H", "D", "N", "T"
]
"""One letter for each type of custodian (GLAMORCUBESFIXPHDNT)."""

TYPE_NAMES = MappingProxyType(
    {
        "G": "Gallery",
        "L": "Library",
        "A": "Archive",
        "M": "Museum",
        "O": "Official institution",
        "R": "Research centre",
        "C": "Corporation",
        "U": "Unknown",
        "B": "Botanical garden or zoo",
        "E": "Education provider",
        "S": "Heritage society",
        "F": "Feature",
        "I": "Intangible heritage group",
        "X": "Mixed",
        "P": "Personal collection",
        "H": "Holy site",
        "D": "Digital platform",
        "N": "NGO",
        "T": "Taste and smell heritage",
    }
)
"""The name of each type, as in context tags."""

Tier = Literal["TIER_1_AUTHORITATIVE", "TIER_2_VERIFIED", "TIER_3_CROWD_SOURCED", "TIER_4_INFERRED"]
"""How far a source can be trusted: registries, verified external data, crowds, what was scraped or said."""

TIERS: tuple[Tier, ...] = (
    "TIER_1_AUTHORITATIVE",
    "TIER_2_VERIFIED",
    "TIER_3_CROWD_SOURCED",
    "TIER_4_INFERRED",
)
"""Every tier, the best first; the number of a tier is its place from 1."""

CountrySource = Literal["explicit", "ghcid", "isil", "source"]
"""How a country is known: said outright, by the GHCID, by the ISIL's prefix, by the source's metadata."""
