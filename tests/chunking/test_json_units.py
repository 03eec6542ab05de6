from __future__ import annotations

import json
from typing import Any

import pytest
from chunking_documents import cut, document, proof_of

from chunk_pipeline.chunking.json.translations import language_of

SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Boat",
    "$id": "boat",
    "type": "object",
    "properties": {
        "name": {"type": "string", "field": {"component": "form/TextField", "label": "NAME"}},
        "a/b": {"type": "number"},
    },
    "required": ["name"],
}


def _schema(**more: Any) -> str:
    return json.dumps({**SCHEMA, **more}, indent=2)


def _words(category: str, text: str) -> list[str]:
    chunks, _ = cut("json_category_breadcrumb", document(text, category))
    return [chunk.header for chunk in chunks]


def test_a_schema_gives_its_meta_and_one_chunk_a_property() -> None:
    source = document(_schema(), "schemas_validation")
    chunks, skips = cut("json_category", source)
    assert [json.loads(chunk.body) for chunk in chunks] == [
        {"$id": "boat", "title": "Boat", "type": "object", "required": ["name"]},
        {"name": SCHEMA["properties"]["name"]},
        {"a/b": {"type": "number"}},
    ]
    assert list(json.loads(chunks[0].body)) == ["$id", "title", "type", "required"]
    assert chunks[1].body == json.dumps({"name": SCHEMA["properties"]["name"]}, indent=2)
    assert [chunk.unit for chunk in chunks] == ["", "/properties/name", "/properties/a~1b"]
    assert [chunk.metadata.component for chunk in chunks] == [None, "form/TextField", None]
    assert [skip.reason for skip in skips] == ["dialect declaration", "enclosing name of the properties"]
    assert proof_of("json_category", source).holds


def test_headers_name_properties_and_leave_placeholders_out() -> None:
    assert _words("schemas_validation", _schema()) == [
        "// shop/data.json",
        "// shop/data.json :: name",
        "// shop/data.json :: a/b",
    ]


def test_small_keywords_that_the_study_does_not_name_join_the_meta() -> None:
    chunks, _ = cut(
        "json_category", document(_schema(additionalProperties=False, x={"y": [1]}), "schemas_validation")
    )
    assert '"additionalProperties": false' in chunks[0].body
    assert json.loads(chunks[0].body)["x"] == {"y": [1]}
    assert len(chunks) == 3


def test_large_keywords_become_chunks_of_their_own() -> None:
    definitions = {f"part{index}": {"type": "string", "description": "d" * 90} for index in range(30)}
    source = document(_schema(definitions=definitions), "schemas_validation")
    chunks, _ = cut("json_category", source)
    assert len(chunks[0].body) <= 1000
    found: dict[str, Any] = {}
    for chunk in chunks[3:]:
        assert len(chunk.body) < 500
        found.update(json.loads(chunk.body)["definitions"])
    assert found == definitions
    assert proof_of("json_category", source).holds


def test_a_combination_of_names_alone_is_skipped_and_one_that_says_more_is_not() -> None:
    names = _schema(oneOf=[{"required": ["name", "a/b"]}])
    _, skips = cut("json_category", document(names, "schemas_validation"))
    assert "combination of property names that have units of their own" in [skip.reason for skip in skips]
    for more in ([{"required": ["stranger"]}], [{"required": ["name"], "title": "t"}], [True], []):
        chunks, skips = cut("json_category", document(_schema(oneOf=more), "schemas_validation"))
        assert json.loads(chunks[0].body)["oneOf"] == more
        assert len(skips) == 2


def test_translations_give_flat_labels_first_and_then_sections() -> None:
    long = {f"LABEL_{index}": "Une phrase assez longue à dire" for index in range(40)}
    content = {"Section": {"A": "ä"}, "YES": "Oui", "Long": long, "List": ["x"] * 400, "NO": "Non"}
    source = document(json.dumps(content, ensure_ascii=False), "i18n_translations", "src/i18n/app_fr.json")
    chunks, skips = cut("json_category", source)
    assert json.loads(chunks[0].body) == {"YES": "Oui", "NO": "Non"}
    assert [chunk.unit.split("/")[1:2] for chunk in chunks] == [
        [],
        ["Section"],
        *[["Long"]] * (len(chunks) - 3),
        ["List"],
    ]
    assert json.loads(chunks[-1].body) == {"List": ["x"] * 400}
    parts = [json.loads(chunk.body)["Long"] for chunk in chunks[2:-1]]
    assert len(parts) > 2
    assert {key: value for part in parts for key, value in part.items()} == long
    assert {chunk.metadata.language for chunk in chunks} == {"fr"}
    assert skips == []
    assert proof_of("json_category", source).holds


@pytest.mark.parametrize(
    ("path", "language"),
    [("i18n/app_en.json", "en"), ("fr-CA.json", "fr-CA"), ("map.nl.json", "nl"), ("i18n/labels.json", None)],
)
def test_the_language_is_told_by_the_files_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


def test_a_package_gives_one_chunk_and_a_skip_for_all_else() -> None:
    content = {
        "name": "harbour",
        "private": True,
        "version": "1.0.0",
        "scripts": {"test": "run"},
        "dependencies": {"zeta": "^1", "alpha": "^2"},
        "devDependencies": {},
    }
    source = document(json.dumps(content, indent=2), "package_tooling", "package.json")
    (chunk,), skips = cut("json_category", source)
    assert json.loads(chunk.body) == {
        "name": "harbour",
        "version": "1.0.0",
        "scripts": {"test": "run"},
        "dependencies": ["alpha", "zeta"],
        "devDependencies": [],
    }
    assert [source.text[skip.span.start : skip.span.end] for skip in skips] == [
        '"private": true',
        '"^1"',
        '"^2"',
    ]
    assert proof_of("json_category", source).holds


@pytest.mark.parametrize("category", ["test_config", "docs_meta"])
def test_configurations_are_whole_and_verbatim(category: str) -> None:
    text = '\n{"a":\t[1,  2]}\n'
    (chunk,), _ = cut("json_category", document(text, category))
    assert chunk.body == text.strip()
    assert _words(category, text) == ["// shop/data.json"]


def test_a_locator_is_the_deepest_value_that_holds_all_of_a_piece() -> None:
    text = json.dumps({"a": {"b": {str(index): "x" * 60 for index in range(20)}}, "c": 1})
    chunks, _ = cut("json_category", document(text))
    assert [chunk.unit for chunk in chunks][:2] == ["/a/b", "/a/b"]
    assert [chunk.unit for chunk in cut("json_category", document('{"a": {"b": 1}}'))[0]] == ["/a"]
