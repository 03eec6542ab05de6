"""Routes that are not lexical by construction: what the answer says is not in the query."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.code_to_docs import CodeToDocs, comment_prose
from chunk_pipeline.evaluation.gold.docs_to_code import DocsToCode
from chunk_pipeline.evaluation.gold.docs_to_vue import DocsToVue
from chunk_pipeline.evaluation.gold.i18n_cross_language import I18nCrossLanguage
from chunk_pipeline.evaluation.gold.masking import FUNCTION_WORDS, masked, masked_sentence, prose
from chunk_pipeline.evaluation.gold.mining import ROUTES
from chunk_pipeline.evaluation.gold.schema_label import SchemaLabel
from chunk_pipeline.evaluation.gold.translations import translations
from chunk_pipeline.retrieval.tokenizer import tokenize
from tests.evaluation.gold.documents import answers, file, mined

CODE = file(
    "src/dues.js", "// Sums the bill\nexport function portDues (vessel) { return vessel.tonnage * RATE }\n"
)
PAGE = file(
    "docs/dues.md",
    "# Dues\n\n### `portDues(vessel)`\n\n"
    "Computes what an agent owes from the `tonnage` of the vessel, in whole euros.\n",
)


def test_documentation_asks_for_code_in_words_that_the_code_lacks() -> None:
    (query,) = mined(DocsToCode(), CODE, PAGE)
    assert query.query == "Computes what an agent owes from of, in whole euros"
    assert (query.category, query.target, query.path) == ("javascript", "portDues", "docs/dues.md")
    assert answers(query, [CODE, PAGE]) == [CODE.text.strip()]
    assert query.lexical_overlap == 0.0


def test_a_name_that_many_functions_have_is_not_what_the_page_is_about() -> None:
    copies = [file(f"src/{n}.js", CODE.text) for n in range(4)]
    assert mined(DocsToCode(), PAGE, *copies[:3])
    assert mined(DocsToCode(), PAGE, *copies) == []


def test_documentation_of_another_repository_is_not_asked_about() -> None:
    assert mined(DocsToCode(), CODE, file(PAGE.path, PAGE.text, "other")) == []


def test_documentation_asks_for_a_component_by_what_it_does() -> None:
    component = file("src/KBoard.vue", "<template><q-table :rows='berths' /></template>\n")
    page = file("a.md", "The **k-board** shows waiting vessels beside free berths, refreshed every minute.\n")
    (query,) = mined(DocsToVue(), component, page)
    assert query.query == "shows waiting vessels beside free, refreshed every minute"
    assert (query.category, query.target) == ("vue", "KBoard")
    assert answers(query, [component]) == [component.text.strip()]


def test_a_comment_asks_for_the_page_in_words_that_the_page_lacks() -> None:
    code = file(
        "src/dues.js",
        "/**\n * Multiply tonnage by rates agreed yearly between captains.\n *\n * @param v x\n */\n"
        + CODE.text.split("\n", 1)[1],
    )
    (query,) = mined(CodeToDocs(), code, PAGE)
    assert query.query == "Multiply by rates agreed yearly between captains"
    assert query.category == "markdown"
    assert answers(query, [PAGE])[0].startswith("### `portDues(vessel)`")


def test_a_foreign_text_asks_for_the_english_unit_of_its_key() -> None:
    english = file(
        "i18n/app_en.json", '{"a": {"b": "Ask for a berth", "c": "Internet cookies", "d": "Only here"}}'
    )
    french = file(
        "i18n/app_fr.json",
        '{"a": {"b": "Demander un poste", "c": "Internet cookies", "x": "Rien ici du tout"}}',
    )
    (query,) = mined(I18nCrossLanguage(), english, french)
    assert (query.query, query.target, query.path) == (
        "Demander un poste",
        "Ask for a berth",
        "i18n/app_fr.json",
    )
    assert answers(query, [english]) == ['"b": "Ask for a berth"']


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("i18n/app_fr.json", "fr"),
        ("i18n/fr.json", "fr"),
        ("i18n/fr/app.json", "fr"),
        ("i18n/pt-BR.json", "pt"),
    ],
)
def test_a_files_name_tells_its_language(path: str, language: str) -> None:
    (found,) = translations([file(path, "{}")])
    assert found.language == language


def test_a_file_whose_name_tells_no_language_is_no_translation() -> None:
    assert translations([file("i18n/application.json", "{}")]) == []


def test_a_label_asks_for_the_property_that_it_is_shown_with() -> None:
    texts = [
        file("i18n/app_en.json", '{"dues": {"TON": "Size of your ship"}}'),
        file("i18n/app_fr.json", '{"dues": {"TON": "Jauge du navire"}}'),
    ]
    schema = file(
        "schemas/dues.create.json",
        json.dumps({"properties": {"tonnage": {"field": {"component": "x", "label": "dues.TON"}}}}),
    )
    queries = mined(SchemaLabel(), *texts, schema)
    assert sorted(each.query for each in queries) == ["Jauge du navire", "Size of your ship"]
    assert all(answers(each, [schema])[0].startswith('"tonnage": {') for each in queries)
    assert {(each.category, each.target) for each in queries} == {("schemas_validation", "tonnage")}


def test_masking_takes_out_code_shared_words_and_articles_that_lost_their_noun() -> None:
    sentence = prose(
        "Moves **the** `berth` of a *vessel* to [another quay](x) before high water, if asked (by an agent)."
    )
    assert masked(sentence, "vessel agent") == "Moves of to another quay before high water, if asked"


def test_what_lost_too_much_is_no_query_and_the_next_sentence_is_tried() -> None:
    text = "Port dues of vessel and agent. Captains settle their yearly bill every Monday morning."
    assert masked(text.split(". ")[0], "port dues vessel agent") == ""
    assert masked_sentence(text, "port dues vessel agent") == text.split(". ")[1].strip(".")


def test_a_comment_is_read_without_its_marks_and_tags() -> None:
    assert comment_prose("// One\n// two.\n") == "One two."
    assert comment_prose("/**\n * One\n * two.\n *\n * Three.\n * @param x\n */\n") == "One two."


def test_masked_queries_share_no_word_but_those_of_grammar_with_the_real_answers(corpora: Path) -> None:
    root = corpora / "corpora" / "kalisio"
    documents = [
        file(path.relative_to(root / name).as_posix(), path.read_text("utf-8-sig"), name)
        for name in ("kdk", "skeleton")
        for path in sorted((root / name).rglob("*.md"))
    ]
    route = next(each for each in ROUTES if each.name == "markdown_link")
    queries = mined(route, *documents)
    assert len(queries) >= 20
    for query in queries:
        for found in answers(query, documents):
            assert set(tokenize(query.query)).intersection(tokenize(found)) <= FUNCTION_WORDS


@pytest.mark.parametrize(
    "route", [DocsToCode(), DocsToVue(), CodeToDocs(), I18nCrossLanguage(), SchemaLabel()]
)
def test_the_order_of_documents_changes_nothing(route: DocsToCode) -> None:
    documents: list[Document] = [CODE, PAGE, file("src/i18n/a_fr.json", "{"), file("src/X.vue", "<")]
    assert mined(route, *documents) == mined(route, *documents[::-1])
