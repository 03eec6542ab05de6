"""The facts of an instance, from its slots.

What does not belong here: reading identifiers, countries and types (``chunking.facts``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.facts.countries import resolve_country
from chunk_pipeline.chunking.facts.defaults import Defaults, as_language, as_tier
from chunk_pipeline.chunking.facts.facts import Identifier, InstanceFacts
from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.facts.identifiers import identifiers_in, normalised, parse_ghcid
from chunk_pipeline.chunking.facts.languages import detect_language
from chunk_pipeline.chunking.facts.presence import speaks_of_collections, speaks_of_relationships
from chunk_pipeline.chunking.facts.types import type_letters
from chunk_pipeline.chunking.instance_yaml.entities import Entity, scalar_text
from chunk_pipeline.chunking.instance_yaml.nodes import Mapping, Node, key_text, repeated_keys, resolved
from chunk_pipeline.chunking.instance_yaml.slots import Slots, items

KIND = "yaml_instance"
_SCHEMES = ("identifier_scheme", "has_scheme", "scheme", "identifier_type", "has_type", "type")
_VALUES = ("identifier_value", "has_value", "value", "identifier", "has_label", "id")
_SPEAKING_NAMES = frozenset(
    ["ghcid", "isil", "isil_code", "kvk", "kvk_number", "kvk_nummer", "viaf", "wikidata", "wikidata_id"]
)


def entity_facts(document: Document, entity: Entity, place: int, given: Defaults) -> InstanceFacts:
    """The facts of an entity, without what differs between its pieces.

    Args:
        document: The file.
        entity: One of its entities.
        place: The entity's place in the file, from 0.
        given: What the source says of all its files.
    """
    slots = Slots(entity.node)
    found = tuple(dict.fromkeys(_identifiers(slots)))
    ghcid = parse_ghcid(_value(found, "GHCID"))
    placed = [each for _, node in slots.nodes("place") for each in items(node)]
    places = [Slots(each) for each in placed if isinstance(each, Mapping)]
    explicit = next((said for each in (slots, *places) if (said := each.first("country"))), None)
    country, how = resolve_country(
        explicit, ghcid.text if ghcid else None, _value(found, "ISIL") or None, given.country_code
    )
    types = type_letters(slots.texts("type"))
    described = " ".join(slots.texts("description"))
    language = as_language(slots.first("language") or "") or given.language or detect_language(described)
    pointer = f"{entity.document}:{entity.pointer}"
    return InstanceFacts(
        source_id=f"{KIND}:{document.path}#{pointer}",
        primary_class="Custodian",
        custodian_type=types.letters,
        names=(*slots.texts("label"), *slots.texts("other_name"), *_labels(slots)),
        identifiers=found,
        ghcid=ghcid.text if ghcid else None,
        country_code=country,
        country_source=how,
        region_code=_of(slots, places, "region") or (ghcid.region if ghcid else None),
        settlement=_of(slots, places, "settlement"),
        data_tier=as_tier(slots.first("tier") or "") or given.data_tier or "TIER_2_VERIFIED",
        extraction_date=given.extraction_date,
        confidence_score=_confidence(slots),
        language=language,
        warnings=(*_oddities(entity), *types.warnings, *given.warnings),
        entity=place,
        pointer=pointer,
    )


def of_piece(facts: InstanceFacts, body: str) -> InstanceFacts:
    """The facts with ``has_*`` as they are for a chunk of the entity with that body."""
    return facts.model_copy(
        update={
            "has_identifiers": bool(identifiers_in(body))
            or any(each.value in body for each in facts.identifiers),
            "has_collections": speaks_of_collections(body),
            "has_relationships": speaks_of_relationships(body),
        }
    )


def _of(slots: Slots, places: list[Slots], wanted: Literal["region", "settlement"]) -> str | None:
    return next((said for each in (slots, *places) if (said := each.first(wanted))), None)


def _labels(slots: Slots) -> Iterator[str]:
    """Names that are mappings of their own: ``has_label: {has_label: …}`` or ``{en: …}``."""
    for wanted in ("label", "other_name"):
        for _, node in slots.nodes(wanted):
            for each in items(node):
                if isinstance(each, Mapping):
                    yield from Slots(each).texts("label")


def _identifiers(slots: Slots) -> Iterator[Identifier]:
    """Identifiers in any of their forms: a slot of their own, a list of texts, or of mappings."""
    for name, node in slots.nodes("identifier"):
        scheme = name if fold(name).replace(" ", "_") in _SPEAKING_NAMES else ""
        for each in items(node):
            found = _of_mapping(each) if isinstance(each, Mapping) else _of_text(scheme, scalar_text(each))
            yield from found
    ghcid = parse_ghcid(slots.first("id") or "")
    if ghcid is not None:
        yield Identifier(scheme="GHCID", value=ghcid.text)


def _of_mapping(node: Mapping) -> Iterator[Identifier]:
    """``{identifier_scheme: ISIL, identifier_value: NL-HaNA}``, or ``{ISIL: NL-HaNA}``."""
    said = {fold(key_text(entry)).replace(" ", "_"): entry.value for entry in node.entries}
    value = next((text for name in _VALUES if name in said and (text := scalar_text(said[name]))), "")
    scheme = next((text for name in _SCHEMES if name in said and (text := _first_text(said[name]))), "")
    if value:
        yield from _of_text(scheme, value)
        return
    for name, each in said.items():
        if name in _SPEAKING_NAMES:
            yield from _of_text(name, scalar_text(each))


def _of_text(scheme: str, value: str) -> Iterator[Identifier]:
    identifier = normalised(scheme.replace("_", " "), value)
    if identifier is not None:
        yield identifier


def _first_text(node: Node) -> str:
    """The scheme of an identifier, which may be a mapping with a label."""
    value = resolved(node)
    return (Slots(value).first("label") or "") if isinstance(value, Mapping) else scalar_text(value)


def _value(found: tuple[Identifier, ...], scheme: str) -> str:
    return next((each.value for each in found if each.scheme == scheme), "")


def _confidence(slots: Slots) -> float:
    """The confidence that the instance states, if it is from 0 to 1; else 1."""
    try:
        said = float(slots.first("confidence") or "1")
    except ValueError:
        return 1.0
    return said if 0 <= said <= 1 else 1.0


def _oddities(entity: Entity) -> Iterator[str]:
    for name, line in repeated_keys(entity.node):
        yield f"repeated_key: {name[:80]!r} again in line {line}; the first counts"
    if not Slots(entity.node).first("label"):
        yield "no_label: no slot of the entity is known to name it"
