"""The count of messages: those in the export are those in chunks and those without text, and nothing else.

Counted on the plain values of the JSON and on the chunks' facts, not on what the strategy reads, so that it
can catch it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from chunk_pipeline.chunking.account import Account
from chunk_pipeline.chunking.chunk import Chunk, UnparsableError
from chunk_pipeline.chunking.conversation import reasons
from chunk_pipeline.chunking.conversation.placeholders import without_placeholders
from chunk_pipeline.chunking.facts.facts import ConversationFacts

Key = tuple[str, str]
"""Conversation and message."""


class _Listed(NamedTuple):
    key: Key
    message: Any


def account(text: str, chunks: Sequence[Chunk]) -> Account:
    """Count the messages of an export, in it and in its chunks.

    Args:
        text: The export.
        chunks: Its chunks, with their facts.

    Returns:
        Messages by what became of them: null messages count. One that has text and is in no chunk is lost.

    Raises:
        UnparsableError: It is not JSON.
    """
    begun: set[Key] = set()
    joined: set[Key] = set()
    for chunk in chunks:
        if isinstance(chunk.facts, ConversationFacts):
            first, *others = chunk.facts.message_ids
            begun.add((chunk.facts.conversation_id, first))
            joined.update((chunk.facts.conversation_id, each) for each in others)
    joined -= begun
    skipped: Counter[str] = Counter()
    listed = list(_messages(text))
    for key, message in listed:
        if key not in begun and key not in joined:
            skipped[_why(message)] += 1
    del skipped[""]
    keys = [each.key for each in listed]
    return Account(
        "messages",
        records=len(listed),
        chunked=sum(key in begun for key in keys),
        joined=sum(key in joined for key in keys),
        skipped=tuple(sorted(skipped.items())),
    )


def _messages(text: str) -> Iterator[_Listed]:
    """Every item of every ``chat_messages``."""
    try:
        root = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnparsableError(f"not JSON (RFC 8259): {error}") from error
    within = ""
    if isinstance(root, dict) and "conversations" in root:
        root, within = root["conversations"], "/conversations"
    placed = (
        [(f"{within}/{index}", each) for index, each in enumerate(root)] if isinstance(root, list) else None
    )
    known: set[str] = set()
    for pointer, conversation in placed or [(within, root)]:
        if not isinstance(conversation, dict) or "chat_messages" not in conversation:
            continue
        identity = _named(conversation, pointer, known)
        messages: set[str] = set()
        for index, message in enumerate(_list(conversation["chat_messages"])):
            below = f"{pointer}/chat_messages/{index}"
            named = _named(message, below, messages) if isinstance(message, dict) else below
            yield _Listed((identity, named), message)


def _named(value: dict[str, Any], pointer: str, known: set[str]) -> str:
    """Its uuid, or where it stands if it has none or another has it."""
    uuid = value.get("uuid")
    name = uuid if isinstance(uuid, str) and uuid and uuid not in known else pointer
    known.add(name)
    return name


def _why(message: Any) -> str:
    """Why a message is in no chunk; empty if it should be in one."""
    if message is None:
        return reasons.NULL_MESSAGE
    if not isinstance(message, dict):
        return reasons.NO_MESSAGE
    if any(text and any(without_placeholders(text)) for text in _texts(message)):
        return ""
    content = message.get("content")
    blocks = isinstance(content, list) and any(isinstance(each, dict) and each for each in content)
    return reasons.ONLY_BLOCKS if blocks else reasons.EMPTY_MESSAGE


def _texts(message: dict[str, Any]) -> Iterator[str]:
    """What a message says in any of the places where text may be."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    files = [file for name in ("attachments", "files", "files_v2") for file in _list(message.get(name))]
    found = [each.get("text") for each in blocks if isinstance(each, dict) and _is_text(each)]
    found += [each.get("extracted_content") for each in files if isinstance(each, dict)]
    yield from (each for each in (message.get("text"), *found) if isinstance(each, str))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_text(block: dict[str, Any]) -> bool:
    return block.get("type") in ("text", "", None)
