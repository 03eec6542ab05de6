"""What the columns of a registry mean: mappings from column names to slots, as validated data.

The built-in ones are in ``registries.yaml``. A source adds its own columns in the sources file, under
``metadata:``, as ``registry_columns: "Naam museum=preferred_label; Woonplaats=settlement"``. What does not
belong here: finding the columns in a file (``layout``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.facts.vocabulary import TypeLetter

COLUMNS_KEY = "registry_columns"
"""Key of a source's metadata that maps columns of its own."""

OWN = "source"
"""Name of the mapping that has only the source's own columns."""

IDENTIFIER_SLOTS: Mapping[str, str] = MappingProxyType(
    {
        "isil_code": "ISIL",
        "registration_number": "KvK",
        "wikidata_id": "Wikidata",
        "ghcid": "GHCID",
        "viaf_id": "VIAF",
    }
)
"""Slots that hold an identifier, with its scheme."""

SLOTS = frozenset(
    {
        "preferred_label",
        "alternative_label",
        "description",
        "custodian_type",
        "settlement",
        "region",
        "country",
        "postal_address",
        "postal_code",
        "homepage",
        "email",
        "telephone",
        "registration_date",
        "provenance_note",
        "aggregator_membership",
        "collection",
        "part_of",
        *IDENTIFIER_SLOTS,
    }
)
"""Every slot that a column may be mapped to."""


def _slots(columns: dict[str, str]) -> dict[str, str]:
    for column, slot in columns.items():
        if slot not in SLOTS:
            there_are = ", ".join(sorted(SLOTS))
            raise ValueError(f"column {column!r}: there is no slot {slot!r}; there are: {there_are}")
        if not folded(column):
            raise ValueError(f"column {column!r}: a column's name needs a letter or a digit")
    return columns


class RegistryMapping(BaseModel):
    """The columns of one registry; see ``registries.yaml`` for the fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1)]
    columns: Annotated[dict[str, str], AfterValidator(_slots)]
    numbering: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    primary_class: str = "Custodian"
    custodian_type: tuple[TypeLetter, ...] = ()

    def slot(self, column: str) -> str | None:
        """The slot of a column, by its name in any spelling."""
        return self.by_name.get(folded(column))

    def numbers(self, column: str) -> bool:
        """Whether a column only numbers the rows."""
        return folded(column) in {folded(each) for each in self.numbering}

    def widened(self, others: Iterable[RegistryMapping]) -> RegistryMapping:
        """The mapping with columns of other registries too: a file may have columns of two.

        A registry that requires columns lends none of its own, which are common words.
        """
        columns = dict(self.columns)
        for each in others:
            for column, slot in each.columns.items() if not each.requires else ():
                if folded(column) not in {folded(known) for known in columns}:
                    columns[column] = slot
        return self.with_columns(columns)

    def with_columns(self, columns: Mapping[str, str]) -> RegistryMapping:
        """The mapping with other columns; a plain copy would keep what is cached of the old ones."""
        return RegistryMapping.model_validate({**self.model_dump(), "columns": dict(columns)})

    @cached_property
    def by_name(self) -> Mapping[str, str]:
        """Slots by folded names of columns."""
        return MappingProxyType({folded(column): slot for column, slot in self.columns.items()})


_MAPPINGS: TypeAdapter[dict[str, RegistryMapping]] = TypeAdapter(dict[str, RegistryMapping])


def folded(name: str) -> str:
    """A column's name without case, accents, blanks, punctuation and line breaks: ``isilcode``."""
    return fold(name).replace(" ", "")


@cache
def built_in() -> Mapping[str, RegistryMapping]:
    """The mappings of ``registries.yaml`` by name, in its order."""
    file = files("chunk_pipeline.chunking.registry_csv").joinpath("registries.yaml")
    text = file.read_text(encoding="utf-8")
    return MappingProxyType(_MAPPINGS.validate_python(yaml.safe_load(text)))


def mappings(extra: Mapping[str, str] = MappingProxyType({})) -> Mapping[str, RegistryMapping]:
    """The mappings to try on a file, in the order of preference.

    Args:
        extra: Columns of a source, column name to slot. They are added to every built-in mapping, before its
            own, and are a mapping by themselves.

    Raises:
        ValueError: A slot is not one of ``SLOTS``.
    """
    if not extra:
        return built_in()
    own = RegistryMapping(title="Registry", columns=dict(extra))
    names = {folded(column) for column in extra}
    widened = {
        name: each.with_columns(
            dict(extra)
            | {column: slot for column, slot in each.columns.items() if folded(column) not in names}
        )
        for name, each in built_in().items()
    }
    return MappingProxyType({OWN: own, **widened})


def own_columns(attributes: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """The columns that a source maps in its metadata, under ``registry_columns``.

    Args:
        attributes: A document's ``attributes``. The value is ``Column=slot`` as often as needed, separated by
            semicolons; the last equals sign of each counts.

    Raises:
        ValueError: A part is not of that form, a column stands twice, or a slot is not known.
    """
    columns: dict[str, str] = {}
    for part in dict(attributes).get(COLUMNS_KEY, "").split(";"):
        if not part.strip():
            continue
        column, equals, slot = (each.strip() for each in part.rpartition("="))
        if not equals or not column or not slot:
            raise ValueError(f"{COLUMNS_KEY}: {part.strip()!r} is not of the form 'Column=slot'")
        if folded(column) in {folded(each) for each in columns}:
            raise ValueError(f"{COLUMNS_KEY}: the column {column!r} stands twice")
        columns[column] = slot
    return MappingProxyType(_slots(columns))
