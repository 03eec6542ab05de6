"""What the slots of an instance are called: one table for the older names, the published ones and others.

Three families are known: flat slots (``preferred_label``, ``custodian_place``), those of the published LinkML
schema of heritage custodians (``has_label``, ``in_country``), and the headings of research aids (``Title``,
``Name variations``). What does not belong here: what the values mean (``facts``).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from types import MappingProxyType
from typing import Literal

from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.instance_yaml.nodes import Mapping, Node, Scalar, Sequence, key_text, resolved

Meaning = Literal[
    "id",
    "label",
    "other_name",
    "description",
    "type",
    "place",
    "settlement",
    "region",
    "country",
    "collection",
    "identifier",
    "relationship",
    "language",
    "tier",
    "confidence",
    "group",
]
"""What a slot says. The slots in a ``group`` are read as if they stood beside it."""

_NAMES: MappingType[Meaning, str] = MappingProxyType(
    {
        "id": "hc_id, id, @id",
        "label": (
            "preferred_label, has_label, label, pref_label, name, has_name, title, naam, "
            "custodian_name, institution_name, organisation_name, organization_name"
        ),
        "other_name": (
            "alternative_names, alternative_name, alternative_labels, alternative_label, alt_labels, "
            "alt_label, aliases, alias, other_names, name_variations, acronym, has_alternative_label, "
            "has_alternative_name, has_acronym, abbreviation, short_name"
        ),
        "description": "description, has_description, abstract, summary, definition",
        "type": "custodian_type, custodian_types, has_type, institution_type, organisation_type",
        "place": (
            "custodian_place, custodian_places, has_place, place, location, locations, has_location, "
            "located_in, address, has_address"
        ),
        "settlement": "settlement, has_locality, locality, settlement_name, city, town, plaats",
        "region": "region, region_code, has_geographic_subdivision, subdivision, province",
        "country": "country, in_country, country_code, has_country, land",
        "collection": "collections, collection, has_collection, has_collections, holdings",
        "identifier": (
            "identifiers, identifier, identified_by, has_identifier, has_identifiers, ghcid, isil, "
            "isil_code, kvk, kvk_number, kvk_nummer, wikidata, wikidata_id, viaf"
        ),
        "relationship": (
            "part_of, is_part_of, member_of, is_member_of, related_to, relationships, "
            "has_relationship, parent_organisation, parent_organization, managed_by, partnerships, "
            "related_aides"
        ),
        "language": "in_language, language, has_language",
        "tier": "data_tier, has_tier",
        "confidence": "confidence_score, has_score",
        "group": "relevant_data",
    }
)

_MEANING: MappingType[str, Meaning] = MappingProxyType(
    {fold(name): meaning for meaning, names in _NAMES.items() for name in names.split(", ")}
)
_LONGEST_NAME = 100


def meaning(name: str) -> Meaning | None:
    """What a slot says, by its name in any spelling; a prefix such as ``schema:`` does not count."""
    return _MEANING.get(fold(name[:_LONGEST_NAME].rpartition(":")[2]))


class Slots:
    """The slots of one mapping, read by what they say.

    A slot that stands twice counts by its first value; ``<<`` gives what the mapping itself does not say.
    """

    def __init__(self, mapping: Mapping) -> None:
        self._values: dict[str, Node] = {}
        for name, node in _named(mapping):
            self._values.setdefault(name, node)

    def nodes(self, wanted: Meaning) -> Iterator[tuple[str, Node]]:
        """Names and values of the slots that say something, in the order of the file."""
        for name, node in self._values.items():
            if meaning(name) == wanted:
                yield name, resolved(node)

    def texts(self, wanted: Meaning) -> Iterator[str]:
        """The single values of those slots, those in lists too; values without any text are left out."""
        for _, node in self.nodes(wanted):
            for item in items(node):
                if isinstance(item, Scalar) and not item.is_null and item.value.strip():
                    yield " ".join(item.value.split())

    def first(self, wanted: Meaning) -> str | None:
        """The first single value, if there is one."""
        return next(self.texts(wanted), None)


def items(node: Node) -> tuple[Node, ...]:
    """The items of a list, or a value as the only one."""
    node = resolved(node)
    return tuple(map(resolved, node.items)) if isinstance(node, Sequence) else (node,)


def _named(mapping: Mapping) -> Iterator[tuple[str, Node]]:
    """Keys and values; those of groups and merged mappings behind the mapping's own."""
    behind: list[Mapping] = []
    for entry in mapping.entries:
        name = key_text(entry)
        value = resolved(entry.value)
        if name == "<<":
            behind.extend(each for each in items(value) if isinstance(each, Mapping))
        elif meaning(name) == "group" and isinstance(value, Mapping):
            behind.append(value)
        elif name:
            yield name, entry.value
    for each in behind:
        yield from _named(each)
