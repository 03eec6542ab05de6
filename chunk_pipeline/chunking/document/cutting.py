"""Sections cut into chunks of a budget, with the facts of each.

What does not belong here: where sections are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.budgeted import BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Document, Skip, Span
from chunk_pipeline.chunking.document.headers import headers
from chunk_pipeline.chunking.document.sections import Section, breaks
from chunk_pipeline.chunking.facts.countries import resolve_country
from chunk_pipeline.chunking.facts.defaults import Defaults, defaults
from chunk_pipeline.chunking.facts.facts import DocumentFacts
from chunk_pipeline.chunking.facts.identifiers import identifiers_in
from chunk_pipeline.chunking.facts.languages import detect_language
from chunk_pipeline.chunking.facts.presence import speaks_of_collections, speaks_of_relationships
from chunk_pipeline.chunking.facts.vocabulary import Tier
from chunk_pipeline.chunking.fitted_header import fitted_header
from chunk_pipeline.chunking.token_pieces import cut_by_tokens

KIND = "document"
"""First part of a ``source_id``."""

CLASS = "Document"
TIER: Tier = "TIER_4_INFERRED"


class _Context(NamedTuple):
    document: Document
    said: Defaults
    language: str | None
    fallback: str


def cut_sections(
    strategy: BudgetedStrategy, document: Document, parts: Sequence[Section], fallback: str = ""
) -> Iterator[Chunk | Skip]:
    """The chunks of a document, and what is left out.

    Args:
        strategy: Whose guidelines and budget hold.
        document: The document.
        parts: Its sections, in order.
        fallback: Why the sections are not the document's own; empty where they are.
    """
    said = defaults(document)
    language = detect_language(document.text) or said.language
    context = _Context(document, said, language, fallback)
    text = document.text
    if text and not text.strip():
        yield Skip(Span(0, len(text)), "blank document")
        return
    for number, section in enumerate(parts, 1):
        if section.skip:
            yield Skip(Span(section.start, section.end), section.skip)
        else:
            yield from _cut(strategy, context, number, section)


def _cut(strategy: BudgetedStrategy, context: _Context, number: int, section: Section) -> Iterator[Chunk]:
    text = context.document.text
    above = fitted_header(headers(section.path), strategy.size, strategy.ceiling)
    lead = f"{above}\n" if above else ""
    pieces = cut_by_tokens(
        text[section.start : section.end],
        lambda piece: strategy.size(lead + piece),
        strategy.target,
        strategy.ceiling,
        strategy.overlap_tokens,
        breaks(text, section),
    )
    held = section.start
    for piece in pieces:
        start, end = _trimmed(text, section.start + piece.start, section.start + piece.end)
        if start == end:
            continue
        over = strategy.size(lead + text[start:end]) > strategy.ceiling
        yield Chunk(
            body=text[start:end],
            spans=(Span(start, end),),
            header=above,
            overlap=max(0, held - start),
            metadata=ChunkMetadata(
                language=context.language,
                fallback=context.fallback or None,
                indivisible=True if over else None,
            ),
            facts=_facts(context, number, section, start, end),
        )
        held = end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without blank lines ahead of it and white space behind it."""
    while end > start and text[end - 1].isspace():
        end -= 1
    solid = start
    while solid < end and text[solid].isspace():
        solid += 1
    return max(start, text.rfind("\n", start, solid) + 1), end


def _facts(context: _Context, number: int, section: Section, start: int, end: int) -> DocumentFacts:
    document, said = context.document, context.said
    body = document.text[start:end]
    country, how = resolve_country(None, None, None, said.country_code)
    return DocumentFacts(
        source_id=f"{KIND}:{document.path}#{number}",
        primary_class=CLASS,
        country_code=country,
        country_source=how,
        data_tier=said.data_tier or TIER,
        extraction_date=said.extraction_date,
        language=context.language,
        has_identifiers=bool(identifiers_in(body)),
        has_collections=speaks_of_collections(body),
        has_relationships=speaks_of_relationships(body),
        warnings=said.warnings,
        heading_path=section.path,
        page=section.page(start, end),
    )
