"""What a page says of its owner in JSON-LD (https://schema.org), which Docling drops with all scripts.

Read as JSON and nothing else: contexts are not fetched, no script is run, and what is broken is named and
passed over. What does not belong here: microdata and RDFa.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chunk_pipeline.chunking.website.page import Page

_ORGANISATIONS_NAMES = """
ArchiveOrganization Archive ArtGallery Aquarium Botanical BotanicalGarden Cemetery Church
CivicStructure CollegeOrUniversity Corporation EducationalOrganization GovernmentBuilding
GovernmentOffice GovernmentOrganization HinduTemple LandmarksOrHistoricalBuildings Library
LibrarySystem LocalBusiness Mosque Museum NGO Organization PerformingArtsTheater PlaceOfWorship
ResearchOrganization School Synagogue TouristAttraction Zoo
"""
ORGANISATIONS = frozenset(_ORGANISATIONS_NAMES.split())
"""Types of what may own a page."""

_WITHOUT_LETTER_NAMES = """
CivicStructure LocalBusiness Organization TouristAttraction EducationalOrganization
"""
_WITHOUT_LETTER = frozenset(_WITHOUT_LETTER_NAMES.split())
"""Those that are no type of custodian; an educational organisation may be any school."""
_DEEPEST = 20
_MOST_NODES = 2_000
_LONGEST = 500_000
_AROUND = re.compile(
    r"\A\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|(?://|/\*)?\s*\]\]>\s*(?:\*/)?)\s*\Z"
)


@dataclass(frozen=True, slots=True)
class JsonLd:
    """What was read.

    Attributes:
        types: ``@type`` of all nodes that stand for things of their own, sorted.
        organisation: Types of the first organisation, in their order.
        names: Its names.
        identifiers: Its identifiers and ``sameAs``, as they are written.
        country: ``addressCountry`` of its address, as it is written.
        settlement: ``addressLocality``.
        contacts: Street, telephone and e-mail address, as written.
        has_hours: Whether its opening hours are given.
        warnings: What could not be read.
    """

    types: tuple[str, ...] = ()
    organisation: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    country: str | None = None
    settlement: str | None = None
    contacts: tuple[str, ...] = ()
    has_hours: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def custodian_types(self) -> tuple[str, ...]:
        """The organisation's types that say what kind of custodian it is."""
        return tuple(each for each in self.organisation if each not in _WITHOUT_LETTER)


def json_ld(page: Page) -> JsonLd:
    """The JSON-LD of a page; broken or overlong scripts are left out with a warning."""
    nodes: list[Mapping[str, Any]] = []
    warnings: list[str] = []
    for number, element in enumerate(page.elements):
        kind = element.attributes.get("type", "").partition(";")[0].strip().lower()
        if element.tag == "script" and kind == "application/ld+json":
            first, behind = page.nodes[number]
            try:
                nodes.extend(_nodes(_parsed("".join(page.texts[first:behind])), 0))
            except ValueError as error:
                warnings.append(f"json_ld: {error}")
    nodes = nodes[:_MOST_NODES]
    types = {each for node in nodes for each in _types(node)}
    owner = next((node for node in nodes if ORGANISATIONS & set(_types(node))), {})
    address = _first_mapping(owner.get("address"))
    return JsonLd(
        types=tuple(sorted(types)),
        organisation=tuple(_types(owner)),
        names=_texts(owner, "name", "alternateName", "legalName"),
        identifiers=_texts(owner, "identifier", "sameAs", "isil", "globalLocationNumber"),
        country=next(iter(_texts(address, "addressCountry")), None),
        settlement=next(iter(_texts(address, "addressLocality")), None),
        contacts=(*_texts(address, "streetAddress"), *_texts(owner, "telephone", "email")),
        has_hours=bool(owner.get("openingHours") or owner.get("openingHoursSpecification")),
        warnings=tuple(sorted(set(warnings))),
    )


def _parsed(text: str) -> Any:
    if len(text) > _LONGEST:
        raise ValueError(f"a script of {len(text)} characters is not read")
    try:
        return json.loads(_AROUND.sub("", text).strip().rstrip(";"), strict=False)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"broken: {getattr(error, 'msg', 'nested too deep')}") from error


def _nodes(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    """All objects with a type, from the outside in."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _nodes(each, depth + 1)
    elif isinstance(value, dict):
        if "@type" in value:
            yield value
        for each in value.values():
            if isinstance(each, list | dict):
                yield from _nodes(each, depth + 1)


def _types(node: Mapping[str, Any]) -> list[str]:
    given = node.get("@type", ())
    names = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return [re.split(r"[/#:]", each)[-1] for each in names if isinstance(each, str) and each.strip()]


def _texts(node: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """The texts of some properties; of an object its name or value, of a list all."""
    found: dict[str, None] = {}
    for name in names:
        values = node.get(name)
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, dict):
                value = value.get("name") or value.get("value") or value.get("@value") or value.get("@id")
            if isinstance(value, str) and value.strip():
                found[" ".join(value.split())] = None
    return tuple(found)


def _first_mapping(value: Any) -> Mapping[str, Any]:
    values = value if isinstance(value, list) else [value]
    return next((each for each in values if isinstance(each, dict)), {})
