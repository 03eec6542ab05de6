"""The facts of a chunk of messages, and the count of messages that can catch the strategy."""

from __future__ import annotations

import json
from datetime import date

from chunk_pipeline.chunking.conversation.accounting import account
from chunk_pipeline.chunking.conversation.reading import read_transcript
from chunk_pipeline.chunking.registry import strategy
from tests.chunking.conversation.exports import LONG, conversation, cut, message

DUTCH = (
    "De ISIL-code van het Nationaal Archief is NL-HaNA; de collectie is onderdeel van een archief te Delft."
)


def test_facts_say_who_spoke_in_which_language_and_how_sure_that_is() -> None:
    [facts] = cut([conversation(message("assistant", DUTCH))]).facts
    assert facts.source_id == "conversation:talk/conversations.json#m0"
    assert facts.primary_class == "Conversation"
    assert (facts.conversation_id, facts.message_ids, facts.senders) == ("c", ("m0",), ("assistant",))
    assert (facts.language, facts.data_tier, facts.confidence_score) == ("nl", "TIER_4_INFERRED", 0.5)
    assert facts.has_identifiers
    assert facts.has_collections
    assert facts.has_relationships
    assert facts.branch == "current"


def test_a_date_of_extraction_and_a_country_come_from_the_source_only() -> None:
    export = [conversation(message("human", "Hm.", created_at="2024-01-02T00:00:00Z"))]
    [facts] = cut(export).facts
    assert (facts.extraction_date, facts.country_code, facts.language) == (None, None, None)
    given = [("country", "Nederland"), ("extraction_date", "2025-08-01"), ("language", "nl")]
    [facts] = cut(export, attributes=given).facts
    assert (facts.extraction_date, facts.country_code, facts.country_source) == (
        date(2025, 8, 1),
        "NL",
        "source",
    )
    assert facts.language == "nl"


def test_the_header_has_the_day_of_the_message_else_of_the_conversation() -> None:
    dated = message("human", LONG, created_at="2024-01-02T00:00:00Z")
    result = cut([conversation(dated, message("human", LONG + "!", created_at="yesterday"))])
    assert [chunk.header for chunk in result.chunks] == [
        "Salt · 2024-01-02\nhuman:",
        "Salt · 2025-09-01\nhuman:",
    ]


def test_speakers_are_called_alike_and_a_strange_one_unknown() -> None:
    messages = [
        message("user", LONG),
        message("two words", LONG),
        {"role": "System", "uuid": "s", "text": LONG},
    ]
    result = cut([conversation(*messages)])
    assert [facts.senders for facts in result.facts] == [("human",), ("unknown",), ("system",)]


def test_the_count_catches_a_message_whose_chunk_is_gone() -> None:
    result = cut([conversation(message("human", LONG), message("assistant", LONG + "!"))])
    assert account(result.text, result.chunks).lost == 0
    found = account(result.text, result.chunks[1:])
    assert (found.records, found.chunked, found.lost) == (2, 1, 1)


def test_the_reading_has_every_value_and_no_name_of_a_member() -> None:
    text = json.dumps({"uuid": "u", "n": 1.5, "list": [True, None, "é"], "sender": "Tutor"})
    read = read_transcript(text)
    assert read.text == "u\n1.5\ntrue\nnull\né\nTutor\n"
    place = read.text.index("é")
    assert text[read.starts[place] : read.ends[place]] == "\\u00e9"
    assert read.names == {"human", "assistant", "unknown", "tutor"}


def test_the_strategy_is_registered() -> None:
    found = strategy("conversation")
    assert found.takes("conversation", "json")
    assert found.settings.startswith("target=500 maximum=1000 overlap=100 ceiling=1000")
