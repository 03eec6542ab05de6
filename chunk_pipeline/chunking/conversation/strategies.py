"""The strategy for conversations. What does not belong here: how any of it is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from chunk_pipeline.chunking.account import Account
from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.conversation.accounting import account
from chunk_pipeline.chunking.conversation.branches import chains
from chunk_pipeline.chunking.conversation.cutting import Sizes, unit_chunks
from chunk_pipeline.chunking.conversation.export import read_export
from chunk_pipeline.chunking.conversation.facts import FactsOfMessages
from chunk_pipeline.chunking.conversation.skips import skips
from chunk_pipeline.chunking.conversation.units import units
from chunk_pipeline.chunking.registry import register


@register
class Conversations(BudgetedStrategy):
    """Conversations by message; a short one with its question or answer, a long one in pieces."""

    name = "conversation"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"conversation"})
    format: ClassVar[str] = "transcript"
    target_tokens: ClassVar[int] = 500
    max_tokens: ClassVar[int] = 1000
    overlap_tokens: ClassVar[int] = 100
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut an export of conversations.

        Raises:
            UnparsableError: It is none.
        """
        export = read_export(document.text)
        facts = FactsOfMessages(document)
        sizes = Sizes(self.size, self.target, self.ceiling, self.overlap_tokens)
        chunks = [
            chunk
            for conversation in export.conversations
            for chain in chains(conversation)
            for unit in units(chain)
            for chunk in unit_chunks(
                unit, conversation.title, conversation.date, sizes, partial(facts.of, conversation)
            )
        ]
        # Branches and attachments stand between messages that follow each other.
        yield from sorted(chunks, key=lambda chunk: chunk.spans[0])
        yield from skips(export)

    def account(self, document: Document, chunks: Sequence[Chunk], skips: Sequence[Skip]) -> Account | None:
        """Messages in the export, and where they are."""
        return account(document.text, chunks)
