"""The route that asks what people asked: which questions are fair, and which spans answer them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.evaluation.gold.query import GoldQuery
from chunk_pipeline.evaluation.gold.question_to_answer import QuestionToAnswer, question
from tests.evaluation.gold.documents import answers, mined

ASKED = (
    "Which of the museums around the town can be reached without a car on a Sunday, with two small children?"
)
ANSWER = (
    'The tram runs every half hour on Sundays and stops at the "Salt Chamber", which has room for a pram.'
)
OTHER = (
    "Take the boat from the quay to the mill; it sails at ten and at two and takes children for half price."
)


def message(sender: str, text: str, uuid: str, parent: str = "") -> dict[str, Any]:
    said = {"uuid": uuid, "sender": sender, "text": text}
    return {**said, "parent_message_uuid": parent} if parent else said


def export(*messages: dict[str, Any]) -> Document:
    text = json.dumps([{"uuid": "c", "name": "Salt", "chat_messages": list(messages)}])
    return Document("chats", "conversations.json", text, "conversation")


def asked(*messages: dict[str, Any]) -> list[tuple[str, list[str]]]:
    document = export(*messages)
    return [
        (query.query, [json.loads(f'"{each}"') for each in answers(query, [document])])
        for query in mined(QuestionToAnswer(), document)
    ]


def test_the_answer_is_what_the_assistant_said_and_not_the_question() -> None:
    found = asked(
        message("human", ASKED, "a"),
        message("assistant", ANSWER, "b"),
        message("assistant", OTHER, "c"),
        message("human", "Thanks.", "d"),
        message(
            "assistant",
            "You are welcome, and have a good trip to the museum with your two children!" * 2,
            "e",
        ),
    )
    assert found == [(ASKED, [ANSWER, OTHER])]


@pytest.mark.parametrize(("first", "second"), [("Can we go by tram?", ANSWER), (ASKED, "Yes, all of them.")])
def test_a_question_in_the_chunk_of_its_answer_is_left_out(first: str, second: str) -> None:
    assert asked(message("human", first, "a"), message("assistant", second, "b")) == []


def test_an_answer_of_another_branch_answers_as_well() -> None:
    found = asked(
        message("human", ASKED, "a", "root"),
        message("assistant", OTHER, "b", "a"),
        message("assistant", ANSWER, "c", "a"),
    )
    assert found == [(ASKED, [ANSWER, OTHER])]


def test_a_question_asked_twice_has_the_answers_of_both() -> None:
    said = [("human", ASKED), ("assistant", ANSWER), ("human", ASKED), ("assistant", OTHER)]
    found = asked(*(message(sender, text, str(place)) for place, (sender, text) in enumerate(said)))
    assert found == [(ASKED, [ANSWER, OTHER])]


def test_blocks_of_an_answer_that_say_little_do_not_answer() -> None:
    blocks = [
        {"type": "text", "text": "I look it up."},
        {"type": "tool_use"},
        {"type": "text", "text": ANSWER},
    ]
    assert asked(message("human", ASKED, "a"), {**message("assistant", "", "b"), "content": blocks}) == [
        (ASKED, [ANSWER])
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Can we go there by tram?",
        "waar ligt het archief van de polder",
        "Welche Führungen gibt es heute",
        "Où se trouve le musée du sel",
        "¿Cuándo abre el museo de la sal",
        "Por qué cierra el museo los lunes",
    ],
)
def test_a_question_ends_with_its_mark_or_begins_with_a_word_that_asks(text: str) -> None:
    assert question(text) == text


@pytest.mark.parametrize(
    "text", ["The tram runs on Sundays.", "Why though?", "Whoever comes is welcome.", "", "?"]
)
def test_what_asks_nothing_or_too_little_is_no_question(text: str) -> None:
    assert question(text) == ""


def test_a_long_message_asks_by_its_last_sentence_with_a_question_mark() -> None:
    told = "We spent the day at the museum and saw the boats. " * 8
    assert (
        question(f"{told}Was it open?\nWhere can one\nsleep there? Thanks a lot.")
        == "Where can one sleep there?"
    )
    assert question(told) == ""
    assert question("Where is " + "salt " * 80 + "?") == ""


def test_the_languages_of_question_and_answer_are_said_where_they_differ() -> None:
    dutch = "Welke musea rond deze stad kan ik op een zondag zonder auto bereiken, "
    dutch += "met twee kleine kinderen en een wagen?"

    def languages(text: str) -> list[str]:
        document = export(message("human", text, "a"), message("assistant", ANSWER, "b"))
        return [query.languages for query in mined(QuestionToAnswer(), document)]

    assert languages(dutch) == ["nl-en"]
    assert languages(ASKED) == [""]


def test_a_file_that_is_no_export_gives_no_query() -> None:
    assert mined(QuestionToAnswer(), Document("chats", "a.json", '{"a": 1}', "conversation")) == []


def sample() -> list[Document]:
    folder = Path(__file__).parents[3] / "data/sample/heritage/conversations"
    return [
        Document("sample", path.name, path.read_text(encoding="utf-8"), "conversation")
        for path in sorted(folder.glob("*.json"))
    ]


def test_no_question_of_the_sample_stands_in_a_chunk_that_answers_it() -> None:
    documents = sample()
    queries: list[GoldQuery] = mined(QuestionToAnswer(), *documents)
    assert len(queries) >= 30
    for document in documents:
        chunks = [each for each in strategy("conversation").cut(document) if isinstance(each, Chunk)]
        for query in (each for each in queries if each.path == document.path):
            for span in query.relevant:
                holding = [
                    chunk
                    for chunk in chunks
                    if any(part.start < span.end and span.start < part.end for part in chunk.spans)
                ]
                assert holding
                assert not any(query.query in " ".join(chunk.body.split()) for chunk in holding)
