"""The facts of a heritage chunk: one model for each kind of source, told apart by ``source_type``.

Facts are what a file says of itself; which known entities a text mentions is found later, over all sources
together (``chunking.entities``). Lists are sorted, so that two runs give the same bytes. What does not belong
here: finding any of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from chunk_pipeline.chunking.facts.vocabulary import CountrySource, Tier, TypeLetter


class Identifier(BaseModel):
    """An identifier and the scheme that gave it, such as ``ISIL`` and ``NL-HaNA``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scheme: Annotated[str, Field(min_length=1)]
    value: Annotated[str, Field(min_length=1)]


def _sorted_texts(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))


def _sorted_identifiers(values: tuple[Identifier, ...]) -> tuple[Identifier, ...]:
    return tuple(sorted(set(values), key=lambda each: (each.scheme, each.value)))


Texts = Annotated[tuple[str, ...], AfterValidator(_sorted_texts)]
Identifiers = Annotated[tuple[Identifier, ...], AfterValidator(_sorted_identifiers)]


class CommonFacts(BaseModel):
    """What every kind of source may tell.

    Attributes:
        source_id: ``<kind>:<path>#<locator>``: the record, section or message that the chunk is of. All
            pieces of one record have the same.
        primary_class: Class of what the chunk is about: ``Custodian``, ``WebPage``, ``Conversation``, …
        custodian_type: Type letters; ``X`` among them is the primary one.
        names: Labels and other names of the entity that it is about.
        identifiers: Its identifiers.
        ghcid: Its GHCID.
        country_code: ISO 3166-1 alpha-2.
        country_source: How the country is known.
        region_code: Region of the GHCID, or as the source has it.
        settlement: Place.
        data_tier: How far the source can be trusted.
        extraction_date: When the source was taken, from its metadata in the sources file.
        confidence_score: 0 to 1.
        language: ISO 639-1.
        has_identifiers: Whether the chunk holds identifiers; likewise collections and relationships.
        warnings: What was odd and read all the same, as ``rule: what``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: Annotated[str, Field(min_length=1)]
    primary_class: str
    custodian_type: Annotated[tuple[TypeLetter, ...], AfterValidator(_sorted_texts)] = ()
    names: Texts = ()
    identifiers: Identifiers = ()
    ghcid: str | None = None
    country_code: Annotated[str, Field(pattern=r"^[A-Z]{2}$")] | None = None
    country_source: CountrySource | None = None
    region_code: str | None = None
    settlement: str | None = None
    data_tier: Tier
    extraction_date: date | None = None
    confidence_score: Annotated[float, Field(ge=0, le=1)] = 1.0
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] | None = None
    has_identifiers: bool = False
    has_collections: bool = False
    has_relationships: bool = False
    warnings: Texts = ()


class ConversationFacts(CommonFacts):
    """Of messages.

    Attributes:
        conversation_id: Its uuid.
        message_ids: Uuids of the messages in the chunk, in their order.
        senders: ``human`` and ``assistant``, in the order of the messages.
        branch: ``current``, or ``other`` for messages that the conversation no longer leads through.
        is_attachment: Whether the text is that of an attached file.
    """

    source_type: Literal["conversation"] = "conversation"
    conversation_id: str
    message_ids: tuple[str, ...]
    senders: tuple[str, ...]
    branch: Literal["current", "other"] = "current"
    is_attachment: bool = False


class WebsiteFacts(CommonFacts):
    """Of a section of a web page.

    Attributes:
        xpath: Positional XPath of the section's element in the stored page.
        xpath_verified: Whether it selects exactly one element, and that element's text holds the section's.
        section_type: What the section is for.
        heading_path: Headings from the outermost to the section's own.
        json_ld_types: ``@type`` of the page's JSON-LD.
    """

    source_type: Literal["website"] = "website"
    xpath: str
    xpath_verified: bool
    section_type: Literal["about", "contact", "collection", "visit", "news", "history", "other"]
    heading_path: tuple[str, ...] = ()
    json_ld_types: Texts = ()


class RegistryFacts(CommonFacts):
    """Of a row of a registry.

    Attributes:
        row: Number of the record behind the header, from 1; empty ones count.
        registry: Name of the column mapping.
        slots: Mapped columns as (slot, value), in the order of the columns.
    """

    source_type: Literal["csv_registry"] = "csv_registry"
    row: Annotated[int, Field(ge=1)]
    registry: str
    slots: tuple[tuple[str, str], ...] = ()


class InstanceFacts(CommonFacts):
    """Of an instance in YAML.

    Attributes:
        entity: Place of the entity in the file, from 0.
        pointer: Where it stands: JSON Pointer inside its YAML document, after ``<document>:``.
    """

    source_type: Literal["yaml_instance"] = "yaml_instance"
    entity: Annotated[int, Field(ge=0)]
    pointer: str


class DocumentFacts(CommonFacts):
    """Of a section of a document.

    Attributes:
        heading_path: Headings from the outermost to the section's own.
        page: First page that the chunk stands on, from 1; of formats with pages.
    """

    source_type: Literal["document"] = "document"
    heading_path: tuple[str, ...] = ()
    page: Annotated[int, Field(ge=1)] | None = None


class CodeFacts(CommonFacts):
    """Of a file of code or its documentation; the formats that have strategies without facts of their own."""

    source_type: Literal["json", "markdown", "javascript", "vue", "text"]


Facts = ConversationFacts | WebsiteFacts | RegistryFacts | InstanceFacts | DocumentFacts | CodeFacts
"""Any facts."""

_FACTS: TypeAdapter[Facts] = TypeAdapter(Annotated[Facts, Field(discriminator="source_type")])
_ALIASES = {"csv": "csv_registry", "registry": "csv_registry", "yaml": "yaml_instance", "html": "website"}
_WITHOUT_STRATEGY = frozenset({"wikidata"})


class FactsError(ValueError):
    """Facts that are none; the message says which field and why."""


def facts_from(values: Mapping[str, Any]) -> Facts:
    """Facts from plain values, as they are stored or as another program gives them.

    Args:
        values: Fields by name; ``source_type`` may be an alias such as ``csv``. Nulls are left out.

    Raises:
        FactsError: A field is unknown, missing or not valid, or the kind has no strategy.
    """
    given = {name: value for name, value in values.items() if value is not None}
    kind = str(given.get("source_type", ""))
    given["source_type"] = _ALIASES.get(kind, kind)
    if kind in _WITHOUT_STRATEGY:
        raise FactsError(f"source_type {kind!r} has no strategy that reads it")
    try:
        return _FACTS.validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FactsError(f"{where or 'facts'}: {first['msg']}") from error
