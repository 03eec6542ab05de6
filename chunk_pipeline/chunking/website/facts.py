"""The facts of a page and of its sections.

What does not belong here: which known entities a section mentions (``chunking.entities``).
"""

from __future__ import annotations

from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.facts.countries import resolve_country
from chunk_pipeline.chunking.facts.defaults import Defaults, as_language, defaults
from chunk_pipeline.chunking.facts.facts import Identifier, WebsiteFacts
from chunk_pipeline.chunking.facts.identifiers import identifiers_in, normalised
from chunk_pipeline.chunking.facts.languages import detect_language
from chunk_pipeline.chunking.facts.presence import speaks_of_collections, speaks_of_relationships
from chunk_pipeline.chunking.facts.types import type_letters
from chunk_pipeline.chunking.facts.vocabulary import CountrySource, TypeLetter
from chunk_pipeline.chunking.website.json_ld import JsonLd, json_ld
from chunk_pipeline.chunking.website.page import Page
from chunk_pipeline.chunking.website.section_types import section_type
from chunk_pipeline.chunking.website.sections import Location, Section

UNVERIFIED_CONFIDENCE = 0.5
"""Of a section that its XPath does not select."""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What holds for all sections of a page.

    Attributes:
        path: Path of the page in its source.
        given: What the source says of all its files.
        said: Its JSON-LD.
        identifiers: Those of its owner.
        letters: Type letters of its owner.
        country: Of its owner, and how it is known.
        language: That of most of its text, as far as it can be told.
        warnings: What was odd.
    """

    path: str
    given: Defaults
    said: JsonLd
    identifiers: tuple[Identifier, ...]
    letters: tuple[TypeLetter, ...]
    country: tuple[str | None, CountrySource | None]
    language: str | None
    warnings: tuple[str, ...]


def page_facts(document: Document, page: Page, shown: str) -> PageFacts:
    """What holds for a whole page.

    Args:
        document: The document.
        page: It, read.
        shown: The beginning of what it shows, to tell its language by.
    """
    given, said = defaults(document), json_ld(page)
    identifiers = tuple(found for each in said.identifiers if (found := normalised("", each)))
    letters = [type_letters([each]) for each in said.custodian_types]
    isil = next((each.value for each in identifiers if each.scheme == "ISIL"), None)
    warnings = [*given.warnings, *said.warnings]
    if page.unaligned:
        warnings.append(f"broken_html: lxml drops {page.unaligned} characters of the source")
    return PageFacts(
        path=document.path,
        given=given,
        said=said,
        identifiers=identifiers,
        letters=tuple(sorted({letter for each in letters if not each.warnings for letter in each.letters})),
        country=resolve_country(said.country, None, isil, given.country_code),
        language=_meta_language(page) or detect_language(shown) or given.language,
        warnings=tuple(warnings),
    )


def section_facts(
    facts: PageFacts, page: Page, section: Section, location: Location, text: str
) -> WebsiteFacts:
    """The facts of a section.

    Args:
        facts: Those of its page.
        page: The page.
        section: The section.
        location: Where it stands.
        text: Its text.
    """
    said, (country, country_source) = facts.said, facts.country
    warnings = list(facts.warnings)
    if location.is_shared:
        warnings.append(f"shared_element: the section begins at {location.anchor}")
    if not location.verified:
        warnings.append("unverified_xpath: the stored page does not have the section there")
    return WebsiteFacts(
        source_id=f"website:{facts.path}#{location.anchor}",
        primary_class=said.organisation[0] if said.organisation else "WebPage",
        custodian_type=facts.letters,
        names=said.names,
        identifiers=facts.identifiers,
        country_code=country,
        country_source=country_source,
        settlement=said.settlement,
        data_tier=facts.given.data_tier or "TIER_4_INFERRED",
        extraction_date=facts.given.extraction_date,
        confidence_score=1.0 if location.verified else UNVERIFIED_CONFIDENCE,
        language=_declared_language(page, section) or facts.language,
        has_identifiers=bool(identifiers_in(text)),
        has_collections=speaks_of_collections(text),
        has_relationships=speaks_of_relationships(text),
        warnings=tuple(warnings),
        xpath=location.xpath,
        xpath_verified=location.verified,
        section_type=section_type(section.path, text, said),
        heading_path=section.path,
        json_ld_types=said.types,
    )


def _declared_language(page: Page, section: Section) -> str | None:
    """``lang`` of the nearest element around the section's first text."""
    for element in page.ancestors(int(page.owners[section.nodes[0]])):
        attributes = page.elements[element].attributes
        declared = attributes.get("lang") or attributes.get("xml:lang")
        if declared:
            return as_language(declared)
    return None


def _meta_language(page: Page) -> str | None:
    for element in page.elements:
        attributes = element.attributes
        name = attributes.get("http-equiv") or attributes.get("name") or ""
        if element.tag == "meta" and name.lower() in ("content-language", "language", "dc.language"):
            return as_language(attributes.get("content", ""))
    return None
