"""Every quirk of an export: what is text, what is not and why, and that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.conversation.export import read_export
from tests.chunking.conversation.exports import LONG, Result, conversation, cut, message

FENCE = "```\nThis block is not supported on your current device yet.\n```"


def holds(result: Result) -> bool:
    return result.proof.holds and result.account.lost == 0 and result.proof.sizes.over_limit == 0


def test_the_text_of_content_is_taken_and_text_that_repeats_it_skipped() -> None:
    said = message("human", LONG, content=[{"type": "text", "text": LONG, "citations": [{"url": "x"}]}])
    result = cut([conversation(said)])
    assert result.texts == [f"Salt · 2025-09-01\nhuman:\n{LONG}"]
    assert result.skipped("repeats content") == [json.dumps(LONG)]
    assert result.skipped("citation") == ['"x"']
    assert holds(result)


def test_text_that_says_something_else_than_content_is_named() -> None:
    said = message("human", "Another thing.", content=[{"type": "text", "text": LONG}])
    result = cut([conversation(said)])
    assert [chunk.body for chunk in result.chunks] == [LONG]
    assert result.skipped("differs from content") == ['"Another thing."']
    assert holds(result)


@pytest.mark.parametrize(
    "content", [[], None, [{"type": "tool_use", "input": {"q": "salt"}}], [{"type": "text", "text": " "}]]
)
def test_text_is_taken_where_content_has_none(content: Any) -> None:
    result = cut([conversation(message("human", LONG, content=content))])
    assert [chunk.body for chunk in result.chunks] == [LONG]
    assert holds(result)


def test_placeholders_of_tool_blocks_are_dropped_from_the_text() -> None:
    result = cut([conversation(message("assistant", f"I look.\n{FENCE}\n{LONG}\n\n{FENCE}"))])
    assert [chunk.body for chunk in result.chunks] == [f"I look.\n\n\n\n{LONG}"]
    assert [json.loads(f'"{each}"') for each in result.skipped("tool placeholder")] == [FENCE, FENCE]
    assert holds(result)


def test_the_sentence_of_the_placeholder_is_text_where_it_is_quoted() -> None:
    quoted = f"Why does it say 'This block is not supported on your current device yet.' here? {LONG}"
    assert [chunk.body for chunk in cut([conversation(message("human", quoted))]).chunks] == [quoted]


def test_thinking_tools_and_other_blocks_are_skipped_with_their_reason() -> None:
    blocks = [
        {"type": "thinking", "thinking": "They ask of salt.", "start_timestamp": "2025-09-01T09:00:01Z"},
        {"type": "text", "text": "I look it up."},
        {"type": "tool_use", "name": "search", "input": {"query": "salt"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "Salt is white."}]},
        {"type": "image", "source": "pixels"},
        {"type": "text", "text": LONG},
    ]
    result = cut([conversation(message("assistant", "", content=blocks))])
    assert [chunk.body for chunk in result.chunks] == [f"I look it up.\n\n{LONG}"]
    assert "They ask of salt." in result.skipped("thinking")[0]
    assert "Salt is white." in result.skipped("tool block")[0]
    assert result.skipped("block of another kind") == ['"image", "source": "pixels"']
    assert holds(result)


def test_attachments_are_text_of_their_message_and_marked() -> None:
    file = {"file_name": "list of\nmuseums.txt", "file_size": 12, "extracted_content": f"Museums: {LONG}"}
    asked = message("human", "", attachments=[file, {"file_name": "empty.txt", "extracted_content": ""}])
    result = cut([conversation(asked, message("assistant", "Thanks."))])
    assert result.texts == [
        f"Salt · 2025-09-01\nhuman, attached list of museums.txt:\nMuseums: {LONG}",
        "Salt · 2025-09-01\nassistant:\nThanks.",
    ]
    assert [facts.is_attachment for facts in result.facts] == [True, False]
    assert [facts.message_ids for facts in result.facts] == [("m0",), ("m1",)]
    assert result.facts[0].source_id == "conversation:talk/conversations.json#m0/attachments/0"
    assert holds(result)


def test_null_and_empty_messages_are_counted_by_reason() -> None:
    blocks = [{"type": "tool_use", "name": "search"}]
    messages = [
        None,
        message("human", LONG),
        message("human", " \n"),
        message("assistant", "", content=blocks),
        7,
    ]
    result = cut([conversation(*messages)])
    assert result.account.records == 5
    assert result.account.chunked == 1
    assert dict(result.account.skipped) == {
        "null message": 1,
        "empty message": 1,
        "only thinking, tool or other blocks": 1,
        "not a message": 1,
    }
    assert result.skipped("null message") == ["null"]
    assert holds(result)


@pytest.mark.parametrize("messages", [[], [None], None, [message("human", "")]])
def test_an_empty_conversation_gives_no_chunk_and_no_error(messages: Any) -> None:
    empty = {"uuid": "e", "name": "Nothing", "chat_messages": messages}
    result = cut([empty, conversation(message("human", LONG))])
    assert len(result.chunks) == 1
    assert result.skipped("empty conversation")
    assert holds(result)


def test_one_conversation_and_a_box_of_them_are_read_like_a_list() -> None:
    one = conversation(message("human", LONG))
    bodies = [chunk.body for chunk in cut([one]).chunks]
    for export, unit in (
        (one, "/chat_messages/0"),
        ({"conversations": [one]}, "/conversations/0/chat_messages/0"),
    ):
        result = cut(export)
        assert [chunk.body for chunk in result.chunks] == bodies
        assert [chunk.unit for chunk in result.chunks] == [unit]
        assert holds(result)


def test_escapes_map_to_their_whole_source() -> None:
    said = 'He said "salt" é \U0001f9c2 and\ttook\\it. ' + LONG
    text = json.dumps([conversation(message("human", said))])
    assert "\\ud83e\\uddc2" in text
    result = cut(text)
    assert [chunk.body for chunk in result.chunks] == [said]
    span = result.chunks[0].spans[0]
    assert text[span.start : span.end] == json.dumps(said)[1:-1]
    assert holds(result)


def test_what_is_not_known_of_a_message_is_a_skip_of_its_own() -> None:
    result = cut([conversation(message("human", LONG, feedback={"note": "well said"}))])
    assert result.skipped("unknown member") == ['"well said"']
    twice = json.dumps([conversation(message("human", LONG))]).replace('"text":', '"text": "First.", "text":')
    assert cut(twice).skipped("repeated key") == ['"First."']
    assert holds(cut(twice))


def test_a_uuid_that_is_missing_or_there_twice_gives_way_to_the_place() -> None:
    messages = [message("human", LONG, "same"), message("human", LONG + "!", "same"), message("human", LONG)]
    del messages[2]["uuid"]
    result = cut([conversation(*messages)])
    places = [facts.message_ids[0] for facts in result.facts]
    assert places == ["same", "/0/chat_messages/1", "/0/chat_messages/2"]
    assert holds(result)


@pytest.mark.parametrize(
    "export",
    [
        {"museums": []},
        [{"title": "a museum"}],
        ["text"],
        "7",
        {"chat_messages": "none"},
        {"conversations": {}},
    ],
)
def test_json_that_is_no_export_is_refused(export: Any) -> None:
    with pytest.raises(UnparsableError, match="not a conversation export: no chat_messages in"):
        cut(export)


def test_a_list_without_conversations_has_nothing_to_cut() -> None:
    assert cut("[]").chunks == []


def test_deep_nesting_and_broken_json_are_refused() -> None:
    deep = '[{"chat_messages": ' + "[" * 5000 + "]" * 5000 + "}]"
    with pytest.raises(UnparsableError, match="too deep"):
        cut(deep)
    with pytest.raises(UnparsableError, match="not JSON"):
        cut('[{"chat_messages": [')


def test_nesting_within_bounds_is_read() -> None:
    blocks = "[" * 900 + '"salt"' + "]" * 900
    text = json.dumps([conversation(message("human", LONG, content="@"))]).replace('"@"', blocks)
    assert [chunk.body for chunk in cut(text).chunks] == [LONG]
    assert holds(cut(text))


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunk_pipeline.chunking.conversation.export.LARGEST", 100)
    with pytest.raises(UnparsableError, match=r"more than 100: split the export"):
        read_export("[" + " " * 99 + "]")


def test_the_synthetic_export_is_cut_without_loss(corpora: Path) -> None:
    path = corpora / "corpora/heritage/synthetic/claude_conversations.json"
    for limit in (None, 256, 40):
        result = cut(path.read_text(encoding="utf-8"), limit)
        assert holds(result)
        assert result.account.records == 6
        assert result.account.skipped == (("null message", 1),)
        assert {facts.branch for facts in result.facts} == {"current", "other"}
        assert "ISIL." not in "".join(chunk.body for chunk in result.chunks)
