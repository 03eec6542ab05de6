"""The gold set: the counts of the reference study, and spans that hold what was asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.i18n_value import I18nValue
from chunk_pipeline.evaluation.gold.mining import ROUTES, lexical_overlap, mine
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, gold_queries, gold_table
from chunk_pipeline.evaluation.gold.schema_property import SchemaProperty, component_words, property_words
from chunk_pipeline.warehouse.tables import GOLD_QUERIES

I18N = "i18n_translations"
SCHEMA = "schemas_validation"


def schema(path: str, text: str, repository: str = "shop") -> Document:
    return Document(repository, path, text, SCHEMA)


def i18n(path: str, text: str, repository: str = "shop") -> Document:
    return Document(repository, path, text, I18N)


def mined(*documents: Document) -> list[GoldQuery]:
    return gold_queries(mine(documents))


def answer(query: GoldQuery, documents: list[Document]) -> list[str]:
    texts = {(each.repository, each.path): each.text for each in documents}
    return [texts[span.repository, span.path][span.start : span.end] for span in query.relevant]


def test_the_real_files_give_the_gold_of_the_study(kalisio: list[Document]) -> None:
    queries = gold_queries(mine(kalisio, (I18nValue(), SchemaProperty())))
    assert Counter(each.route for each in queries) == {"i18n_value": 104, "schema_property": 70}
    assert len({each.query for each in queries}) == 144
    assert len({each.query_id for each in queries}) == 174


def test_every_real_span_holds_the_value_or_the_member(kalisio: list[Document]) -> None:
    for query in gold_queries(mine(kalisio, (I18nValue(), SchemaProperty()))):
        for found in answer(query, kalisio):
            if query.route == "i18n_value":
                assert json.loads(found).strip() == query.query
            else:
                assert "component" in json.loads("{" + found + "}").popitem()[1]["field"]


def test_the_order_of_documents_changes_nothing(kalisio: list[Document]) -> None:
    assert mine(kalisio).equals(mine(kalisio[::-1]))


def test_every_occurrence_of_a_value_is_an_answer() -> None:
    documents = [
        i18n("i18n/en.json", '{"a": "Delete item", "b": {"c": [" Delete item "]}}'),
        i18n("i18n/fr.json", '{"d": "Delete item"}'),
    ]
    first = mined(*documents)[0]
    assert [(span.path, span.unit) for span in first.relevant] == [
        ("i18n/en.json", "/a"),
        ("i18n/en.json", "/b/c/0"),
        ("i18n/fr.json", "/d"),
    ]
    assert answer(first, documents) == ['"Delete item"', '" Delete item "', '"Delete item"']


@pytest.mark.parametrize(
    ("value", "usable"),
    [("x" * 7, False), ("x" * 8, True), ("x" * 80, True), ("x" * 81, False), ("1234 5678", False)],
)
def test_only_values_that_a_person_would_type_are_queries(value: str, usable: bool) -> None:
    assert bool(mined(i18n("i18n/en.json", json.dumps({"k": value})))) is usable


def test_a_value_in_more_than_four_files_is_no_query() -> None:
    four = [i18n(f"i18n/{n}.json", '{"k": "Everywhere"}') for n in range(4)]
    assert len(mined(*four)) == 4
    assert mined(*four, i18n("i18n/5.json", '{"k": "Everywhere"}')) == []


def test_a_file_gives_at_most_eight_values_the_rarest_and_longest_first() -> None:
    shared = {f"s{n}": f"shared by both {n}" for n in range(3)}
    own = {f"o{n}": "own text " + "z" * n for n in range(9)}
    queries = mined(
        i18n("i18n/a.json", json.dumps({**shared, **own})), i18n("i18n/b.json", json.dumps(shared))
    )
    of_a = {each.query for each in queries if each.path == "i18n/a.json"}
    assert of_a == {"own text " + "z" * n for n in range(1, 9)}


def test_a_schema_property_is_asked_for_in_words() -> None:
    text = json.dumps(
        {
            "properties": {
                "expiryDuration": {"field": {"component": "form/KTextField"}},
                "title": {"field": {"component": "form/KTextField"}},
                "bare": {"type": "string"},
            }
        }
    )
    document = schema("schemas/a.create.json", text)
    (query,) = mined(document)
    assert query.query == "form field expiry duration using text field"
    assert query.relevant[0].unit == "/properties/expiryDuration"
    assert answer(query, [document]) == ['"expiryDuration": {"field": {"component": "form/KTextField"}}']


@pytest.mark.parametrize(
    ("name", "words"),
    [("expiryDuration", "expiry duration"), ("KTextField", "k text field"), ("a_b-c2D", "a b c2 d")],
)
def test_property_names_are_split_where_a_reader_would(name: str, words: str) -> None:
    assert property_words(name) == words


@pytest.mark.parametrize(
    ("component", "words"),
    [("form/KTextField", "text field"), ("KSelectLayersField", "select layers field"), ("x/aB", "")],
)
def test_components_are_named_by_their_last_part_without_its_letter(component: str, words: str) -> None:
    assert component_words(component) == words


def test_equally_rare_properties_are_taken_in_the_order_of_first_sight_over_all_files() -> None:
    def text(names: str) -> str:
        return json.dumps({"properties": {name: {"field": {"component": "C"}} for name in names}})

    queries = mined(schema("schemas/a.get.json", text("xw")), schema("schemas/b.get.json", text("wxyz")))
    units = [each.relevant[0].unit for each in queries if each.path == "schemas/b.get.json"]
    assert sorted(units) == ["/properties/x", "/properties/y", "/properties/z"]


def test_properties_that_read_alike_are_one_query_with_both_answers() -> None:
    text = '{"properties": {"a_b": {"field": {"component": "x/Y"}}, "aB": {"field": {"component": "Y"}}}}'
    (query,) = mined(schema("schemas/a.get.json", text))
    assert [span.unit for span in query.relevant] == ["/properties/a_b", "/properties/aB"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1, 2]", '"text"', '{"properties": []}', '{"properties": {"a": {"field": "x"}}}', "NaN"],
)
def test_documents_without_queries_give_none_and_do_not_crash(text: str) -> None:
    assert mined(schema("schemas/a.get.json", text)) == []
    assert mined(i18n("i18n/a.json", "{" + text)) == []


def test_the_overlap_is_the_share_of_distinct_terms_that_the_best_answer_holds() -> None:
    spans = (RelevantSpan("shop", "a", 0, 11, ""), RelevantSpan("shop", "a", 12, 22, ""))
    query = GoldQuery("delete theDelete items now", "r", "shop", "a", I18N, spans)
    assert lexical_overlap(query, {("shop", "a"): "delete item deleteNow!"}) == 0.5
    assert lexical_overlap(replace(query, query="…"), {("shop", "a"): "delete item deleteNow!"}) == 0.0


def test_values_and_properties_are_in_their_answers_word_for_word(kalisio: list[Document]) -> None:
    for query in gold_queries(mine(kalisio, (I18nValue(),))):
        assert query.target == query.query
        assert query.lexical_overlap == 1.0


def test_a_query_without_an_answer_is_left_out() -> None:
    class Unanswered(I18nValue):
        def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
            yield GoldQuery("nothing here", self.name, "shop", "a.json", I18N, ())

    assert mine([i18n("i18n/a.json", "{}")], (Unanswered(),)).num_rows == 0


def test_every_route_says_what_it_asks_and_has_a_name_of_its_own() -> None:
    assert len({route.name for route in ROUTES}) == len(ROUTES)
    assert all(route.asks.endswith("?") for route in ROUTES)
    assert {route.name for route in ROUTES if not route.lexical} == {
        "i18n_cross_language",
        "question_to_answer",
        "description_cross_language",
        "schema_label",
        "markdown_link",
        "docs_to_code",
        "docs_to_vue",
        "code_to_docs",
    }


def test_gold_survives_the_round_trip_through_its_table() -> None:
    document = i18n("i18n/en.json", '{"a": "Delete item"}')
    table = mine([document])
    assert table.schema.equals(GOLD_QUERIES.schema)
    assert gold_table(gold_queries(table)).equals(table)
    assert mine([]).num_rows == 0
