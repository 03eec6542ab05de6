"""Small exports, and what the strategy makes of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from chunk_pipeline.chunking.account import Account
from chunk_pipeline.chunking.budget import Budget, unbound
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.conversation.strategies import Conversations
from chunk_pipeline.chunking.facts.facts import ConversationFacts
from chunk_pipeline.chunking.integrity import Proof, prove

LONG = (
    "The museum of the town keeps twelve thousand objects, and the archive next door keeps all its letters."
)


def message(sender: str, text: str, uuid: str = "", **more: Any) -> dict[str, Any]:
    return {"uuid": uuid, "sender": sender, "text": text, **more}


def conversation(*messages: Any, **more: Any) -> dict[str, Any]:
    named = [
        {**each, "uuid": each["uuid"] or f"m{number}"} if isinstance(each, dict) and "uuid" in each else each
        for number, each in enumerate(messages)
    ]
    return {"uuid": "c", "name": "Salt", "created_at": "2025-09-01T09:00:00Z", "chat_messages": named, **more}


class Result(NamedTuple):
    text: str
    chunks: list[Chunk]
    skips: list[Skip]
    proof: Proof
    account: Account

    @property
    def texts(self) -> list[str]:
        return [chunk.text for chunk in self.chunks]

    @property
    def facts(self) -> list[ConversationFacts]:
        return [chunk.facts for chunk in self.chunks if isinstance(chunk.facts, ConversationFacts)]

    def skipped(self, reason: str) -> list[str]:
        return [self.text[skip.span.start : skip.span.end] for skip in self.skips if skip.reason == reason]


def cut(export: Any, limit: int | None = None, attributes: Sequence[tuple[str, str]] = ()) -> Result:
    """Cut and prove; an export that is a string is the file itself."""
    text = export if isinstance(export, str) else json.dumps(export)
    document = Document(
        "chats", "talk/conversations.json", text, "conversation", attributes=tuple(attributes)
    )
    strategy = Conversations().with_budget(Budget(unbound().count, limit, "test"))
    made = list(strategy.cut(document))
    chunks = [each for each in made if isinstance(each, Chunk)]
    skips = [each for each in made if isinstance(each, Skip)]
    proof = prove(text, chunks, skips, strategy.format, strategy.ceiling, strategy.size)
    account = strategy.account(document, chunks, skips)
    assert account is not None
    return Result(text, chunks, skips, proof, account)
