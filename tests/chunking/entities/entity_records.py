"""Facts of records, as registries and instances give them, for the tests of entities."""

from __future__ import annotations

from chunk_pipeline.chunking.facts.facts import Facts, Identifier, RegistryFacts
from chunk_pipeline.chunking.facts.vocabulary import TypeLetter


def record(
    row: int,
    *names: str,
    ids: tuple[tuple[str, str], ...] = (),
    ghcid: str | None = None,
    letters: tuple[TypeLetter, ...] = (),
    kind: str = "Custodian",
    repository: str = "registry",
) -> tuple[str, Facts]:
    """Repository and facts of a row of ``isil.csv``."""
    facts = RegistryFacts(
        source_id=f"csv_registry:isil.csv#{row}",
        primary_class=kind,
        custodian_type=letters,
        names=names,
        identifiers=tuple(Identifier(scheme=scheme, value=value) for scheme, value in ids),
        ghcid=ghcid,
        data_tier="TIER_1_AUTHORITATIVE",
        row=row,
        registry="isil",
    )
    return repository, facts
