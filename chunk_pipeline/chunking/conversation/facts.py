"""The facts of a chunk of messages."""

from __future__ import annotations

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.conversation.composing import Passage
from chunk_pipeline.chunking.conversation.message import Conversation
from chunk_pipeline.chunking.conversation.units import Unit
from chunk_pipeline.chunking.facts.countries import resolve_country
from chunk_pipeline.chunking.facts.defaults import Defaults, defaults
from chunk_pipeline.chunking.facts.facts import ConversationFacts
from chunk_pipeline.chunking.facts.identifiers import identifiers_in
from chunk_pipeline.chunking.facts.languages import detect_language
from chunk_pipeline.chunking.facts.presence import speaks_of_collections, speaks_of_relationships

CONFIDENCE = 0.5
"""Of what is said in a conversation: a guess of the project, below every source that somebody edits."""

PRIMARY_CLASS = "Conversation"


class FactsOfMessages:
    """Facts of one document's chunks.

    Args:
        document: Its source's defaults give country, date of extraction and tier; the language where the text
            does not tell. When a message was written is no date of extraction.
    """

    def __init__(self, document: Document) -> None:
        self._path = document.path
        self._given: Defaults = defaults(document)

    def of(self, conversation: Conversation, unit: Unit, passage: Passage) -> ConversationFacts:
        """The facts of a chunk that holds a passage of a unit."""
        given, body = self._given, passage.body
        country, country_source = resolve_country(None, None, None, given.country_code)
        return ConversationFacts(
            source_id=f"conversation:{self._path}#{unit.locator}",
            primary_class=PRIMARY_CLASS,
            country_code=country,
            country_source=country_source,
            data_tier=given.data_tier or "TIER_4_INFERRED",
            extraction_date=given.extraction_date,
            confidence_score=CONFIDENCE,
            language=detect_language(body) or given.language,
            has_identifiers=bool(identifiers_in(body)),
            has_collections=speaks_of_collections(body),
            has_relationships=speaks_of_relationships(body),
            warnings=given.warnings,
            conversation_id=conversation.identity,
            message_ids=tuple(message.identity for message in passage.messages),
            senders=tuple(message.speaker for message in passage.messages),
            branch=unit.branch,
            is_attachment=unit.attachment is not None,
        )
