"""Branches, joining and cutting: which messages are one chunk, and that none is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.conversation.branches import chains
from chunk_pipeline.chunking.conversation.export import read_export
from chunk_pipeline.chunking.conversation.units import units
from tests.chunking.conversation.exports import LONG, conversation, cut, message


def said(*lengths: tuple[str, bool]) -> list[dict[str, Any]]:
    """Messages of (sender, whether long)."""
    return [message(sender, LONG if is_long else "Short.") for sender, is_long in lengths]


def grouped(*lengths: tuple[str, bool]) -> list[int]:
    """How many messages each unit has."""
    export = read_export(json.dumps([conversation(*said(*lengths))]))
    [chain] = chains(export.conversations[0])
    return [len(unit.messages) for unit in units(chain)]


def test_a_short_question_is_joined_with_its_answer_and_both_speakers_show() -> None:
    result = cut([conversation(message("human", "Where is it?"), message("assistant", LONG))])
    assert result.texts == [f"Salt · 2025-09-01\nhuman:\nWhere is it?\n\nassistant: {LONG}"]
    assert result.facts[0].message_ids == ("m0", "m1")
    assert result.facts[0].senders == ("human", "assistant")
    assert (result.account.chunked, result.account.joined) == (1, 1)
    assert result.proof.holds


HUMAN, ASSISTANT = ("human", True), ("assistant", True)
ASKS, THANKS = ("human", False), ("assistant", False)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ((HUMAN, ASSISTANT), [1, 1]),
        ((HUMAN, THANKS, ASKS, ASSISTANT), [2, 2]),
        ((HUMAN, ASSISTANT, THANKS), [1, 2]),
        ((ASKS, HUMAN, ASSISTANT), [2, 1]),
        ((HUMAN, ASSISTANT, ASKS), [1, 2]),
        ((THANKS, HUMAN), [2]),
        ((ASKS,), [1]),
        ((ASKS, THANKS, THANKS, ASKS), [4]),
    ],
)
def test_a_short_message_is_joined_with_its_neighbour(messages: Any, expected: list[int]) -> None:
    assert grouped(*messages) == expected


def test_a_long_message_is_cut_within_itself_under_its_speaker() -> None:
    text = "\n\n".join(f"Paragraph {number}. {LONG} \U0001f9c2 {LONG}" for number in range(60))
    result = cut([conversation(message("human", LONG), message("assistant", text))])
    pieces = result.chunks[1:]
    assert len(pieces) > 3
    assert all(chunk.header == "Salt · 2025-09-01\nassistant:" for chunk in pieces)
    assert all(facts.message_ids == ("m1",) for facts in result.facts[1:])
    assert len({facts.source_id for facts in result.facts[1:]}) == 1
    assert all(chunk.overlap for chunk in pieces[1:])
    assert all(chunk.body.startswith("Paragraph") for chunk in pieces)
    assert result.proof.holds
    assert result.proof.overlap == result.proof.shared


def test_a_short_question_stands_with_the_first_piece_of_a_long_answer() -> None:
    answer = "\n\n".join(f"Paragraph {number}. {LONG}" for number in range(60))
    result = cut([conversation(message("human", "Where is it?"), message("assistant", answer))])
    assert [len(facts.message_ids) for facts in result.facts][:2] == [2, 1]
    assert result.chunks[0].body.startswith("Where is it?\n\nassistant: Paragraph 0.")
    assert [chunk.overlap > 0 for chunk in result.chunks][:3] == [False, False, True]
    assert len({facts.source_id for facts in result.facts}) == 1
    assert result.proof.holds


@pytest.mark.parametrize("limit", [12, 20, 40, 256])
def test_no_chunk_is_over_a_small_budget_whatever_it_is_called(limit: int) -> None:
    name = "A very long name of a conversation about salt, " * 20
    file = {"file_name": "f" * 300, "extracted_content": LONG}
    asked = message("human", "Where?", attachments=[file])
    result = cut([conversation(asked, message("assistant", LONG * 3), name=name)], limit)
    assert result.proof.sizes.over_limit == result.proof.sizes.indivisible == 0
    assert result.proof.holds


def tree(*edges: tuple[str, str], leaf: str = "") -> list[tuple[str, str]]:
    """(branch, messages) of a conversation of (uuid, parent)."""
    messages = [message("human", LONG, uuid, parent_message_uuid=parent) for uuid, parent in edges]
    more = {"current_leaf_message_uuid": leaf} if leaf else {}
    [read] = read_export(json.dumps([conversation(*messages, **more)])).conversations
    return [(chain.branch, "".join(each.identity for each in chain.messages)) for chain in chains(read)]


def test_the_path_to_the_current_leaf_is_current_and_other_branches_are_kept() -> None:
    edges = [("a", "root"), ("b", "a"), ("c", "b"), ("d", "a"), ("e", "d"), ("f", "b"), ("g", "f")]
    assert tree(*edges, leaf="e") == [("current", "ade"), ("other", "bc"), ("other", "fg")]
    assert tree(*edges, leaf="c") == [("current", "abc"), ("other", "de"), ("other", "fg")]


def test_without_a_leaf_all_is_current_unless_two_answer_the_same() -> None:
    assert tree(("a", "root"), ("b", "a"), ("c", "b")) == [("current", "abc")]
    assert tree(("a", "root"), ("b", "elsewhere")) == [("current", "ab")]
    assert tree(("a", "root"), ("b", "a"), ("c", "a")) == [("current", "ac"), ("other", "b")]
    assert tree(("a", "root"), ("b", "a"), ("c", "a"), leaf="gone") == [("current", "ac"), ("other", "b")]


def test_messages_that_do_not_say_what_they_answer_follow_the_one_ahead() -> None:
    messages = said(HUMAN, ASSISTANT, HUMAN)
    export = read_export(json.dumps([conversation(*messages, current_leaf_message_uuid="m1")]))
    branches = [(chain.branch, len(chain.messages)) for chain in chains(export.conversations[0])]
    assert branches == [("current", 2), ("other", 1)]


def test_a_circle_of_messages_ends() -> None:
    assert tree(("a", "b"), ("b", "a"), ("c", "c"), leaf="a") == [("current", "ab"), ("other", "c")]


def test_messages_of_different_branches_are_not_joined() -> None:
    messages = [
        message("human", "Where?", "a", parent_message_uuid="root"),
        message("assistant", "Here.", "b", parent_message_uuid="a"),
        message("assistant", "There.", "c", parent_message_uuid="a"),
    ]
    result = cut([conversation(*messages)])
    assert [(facts.branch, facts.message_ids) for facts in result.facts] == [
        ("current", ("a", "c")),
        ("other", ("b",)),
    ]
    assert result.proof.holds


WORDS = st.sampled_from(
    ["salt", "é", "\n\n", " ", '"', "\\", "\U0001f9c2", "Museum. ", "```", "x" * 120, "中文。"]
)
TEXTS = st.lists(WORDS, max_size=25).map("".join)
BLOCKS = st.lists(
    st.one_of(
        TEXTS.map(lambda text: {"type": "text", "text": text}),
        TEXTS.map(lambda text: {"type": "thinking", "thinking": text}),
        TEXTS.map(lambda text: {"type": "tool_use", "input": {"query": text}}),
    ),
    max_size=3,
)
MESSAGES = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"sender": st.sampled_from(["human", "assistant", "user", "a b"]), "text": TEXTS},
        optional={
            "uuid": st.sampled_from("abcdefgh"),
            "parent_message_uuid": st.sampled_from("abcdefgh") | st.none(),
            "content": BLOCKS | st.none(),
            "attachments": st.lists(
                TEXTS.map(lambda text: {"file_name": "salt.txt", "extracted_content": text}), max_size=2
            ),
        },
    ),
)
EXPORTS = st.lists(
    st.fixed_dictionaries(
        {"name": TEXTS, "chat_messages": st.lists(MESSAGES, max_size=8)},
        optional={"current_leaf_message_uuid": st.sampled_from("abcdefgh"), "uuid": st.sampled_from("xy")},
    ),
    max_size=3,
)


@given(export=EXPORTS, limit=st.sampled_from([None, 25, 60]), escaped=st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_message_is_lost_in_any_tree(
    export: list[dict[str, Any]], limit: int | None, escaped: bool
) -> None:
    result = cut(json.dumps(export, ensure_ascii=escaped), limit)
    assert result.account.lost == 0
    assert result.account.records == sum(len(each["chat_messages"]) for each in export)
    assert result.proof.holds, (result.proof.inexact, result.proof.uncovered, result.proof.misjoined)
    assert result.proof.sizes.over_limit == result.proof.sizes.indivisible == 0
