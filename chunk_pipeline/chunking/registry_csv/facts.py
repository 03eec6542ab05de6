"""The facts of a registry's row: who, where, what kind, and by which identifiers.

What does not belong here: reading identifiers, countries and types (``chunking.facts``).
"""

from __future__ import annotations

from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.facts.countries import resolve_country
from chunk_pipeline.chunking.facts.defaults import Defaults
from chunk_pipeline.chunking.facts.facts import Identifier, RegistryFacts
from chunk_pipeline.chunking.facts.identifiers import identifiers_in, normalised, parse_ghcid
from chunk_pipeline.chunking.facts.presence import speaks_of_collections, speaks_of_relationships
from chunk_pipeline.chunking.facts.types import type_letters
from chunk_pipeline.chunking.registry_csv.layout import Table
from chunk_pipeline.chunking.registry_csv.mappings import IDENTIFIER_SLOTS
from chunk_pipeline.chunking.registry_csv.rows import Row

KIND = "csv_registry"


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The identifiers of a row.

    Attributes:
        found: Those that are what their column says.
        warnings: Cells that are not, as ``not_an_identifier: …``.
    """

    found: tuple[Identifier, ...]
    warnings: tuple[str, ...]


def identifiers(row: Row) -> Identifiers:
    """The identifiers in a row's mapped columns."""
    found: list[Identifier] = []
    warnings: list[str] = []
    for cell in row.cells:
        scheme = IDENTIFIER_SLOTS.get(cell.slot or "")
        if scheme is None:
            continue
        identifier = normalised(scheme, cell.field.value)
        if identifier is None:
            warnings.append(f"not_an_identifier: {cell.field.value.strip()[:80]!r} is no {scheme}")
        else:
            found.append(identifier)
    return Identifiers(tuple(found), tuple(warnings))


def row_facts(document: Document, table: Table, row: Row, given: Defaults) -> RegistryFacts:
    """The facts of a row, with ``has_*`` for the whole of it.

    Args:
        document: The file.
        table: Its table.
        row: One of its rows.
        given: What the source says of all its files.
    """
    known = identifiers(row)
    ghcid = parse_ghcid(_value(known, "GHCID"))
    country, how = resolve_country(
        row.value("country"), ghcid.text if ghcid else None, _value(known, "ISIL") or None, given.country_code
    )
    types = type_letters([said] if (said := row.value("custodian_type")) else table.mapping.custodian_type)
    return RegistryFacts(
        source_id=f"{KIND}:{document.path}#{row.number}",
        primary_class=table.mapping.primary_class,
        custodian_type=types.letters,
        names=tuple(filter(None, (row.value("preferred_label"), row.value("alternative_label")))),
        identifiers=known.found,
        ghcid=ghcid.text if ghcid else None,
        country_code=country,
        country_source=how,
        region_code=row.value("region") or (ghcid.region if ghcid else None),
        settlement=row.value("settlement"),
        data_tier=given.data_tier or "TIER_1_AUTHORITATIVE",
        extraction_date=given.extraction_date,
        language=given.language,
        warnings=(*row.warnings, *known.warnings, *types.warnings, *given.warnings),
        row=row.number,
        registry=table.registry,
        slots=tuple((cell.slot, cell.field.value.strip()) for cell in row.cells if cell.slot),
    )


def of_piece(facts: RegistryFacts, body: str) -> RegistryFacts:
    """The facts with ``has_*`` as they are for a chunk of the row with that body."""
    return facts.model_copy(
        update={
            "has_identifiers": bool(identifiers_in(body))
            or any(each.value in body for each in facts.identifiers),
            "has_collections": speaks_of_collections(body),
            "has_relationships": speaks_of_relationships(body),
        }
    )


def _value(known: Identifiers, scheme: str) -> str:
    return next((each.value for each in known.found if each.scheme == scheme), "")
