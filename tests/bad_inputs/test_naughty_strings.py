"""The big list of naughty strings as content, names, file names and queries: what goes in comes out."""

from __future__ import annotations

import csv
import io
import json

import pytest
import yaml

from chunk_pipeline.corpus.paths import escape_path, unescape_path
from tests.bad_inputs.corpora import UNSET, naughty_strings, parameters_of
from tests.bad_inputs.naughty import as_json, contents, file_name, heritage, json_file, paragraph_file
from tests.bad_inputs.pipeline import Put, put_through

JSON = (
    "json_category",
    "json_category_breadcrumb",
    "json_recursive_text",
    "json_recursive_tree",
    "json_syntax",
)
MARKDOWN = (
    "markdown_header",
    "markdown_structure",
    "markdown_structure_breadcrumb",
    "markdown_syntax",
    "recursive",
)
HERITAGE = ("csv_registry", "yaml_instance")
NAMED = ("json_category_breadcrumb", "json_syntax")
PROFILES: dict[str, dict[str, object]] = {
    "content": {"extends": "js_vue_rag", "whitelist": [".json", ".md"]},
    "archive": {"extends": "heritage"},
    "named": {"extends": "js_vue_rag"},
}
STRINGS = naughty_strings()
pytestmark = pytest.mark.slow
NUMBERED = parameters_of((f"row 68 string {place}", place) for place in range(len(STRINGS)))


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    if not STRINGS:
        pytest.skip(UNSET)
    root = tmp_path_factory.mktemp("naughty")
    strategies = (*JSON, *MARKDOWN)
    put = put_through(root / "a", {"content": contents(STRINGS)}, strategies=strategies, profiles=PROFILES)
    put.add(put_through(root / "b", {"archive": heritage(STRINGS)}, strategies=HERITAGE, profiles=PROFILES))
    named = {name: b'{"salt": "pan"}' for each in STRINGS if (name := file_name(each))}
    put.add(put_through(root / "c", {"named": named}, strategies=NAMED, profiles=PROFILES))
    return put


def instance(put: Put, place: int) -> dict[str, str]:
    """What the chunks of an entity say; a value over the limit is in several of them."""
    found: dict[str, str] = {}
    for row in put.chunks["archive", "all.yaml"]["yaml_instance"]:
        if row["unit"].split("/")[1] == str(place):
            for key, value in yaml.safe_load(row["opening"] + row["body"] + row["closing"]).items():
                found[key] = found.get(key, "") + (value or "")
    return found


@pytest.mark.parametrize("place", NUMBERED)
def test_a_string_is_the_same_in_json(put: Put, place: int) -> None:
    string, path = STRINGS[place], json_file(place)
    literal = json.dumps(string, ensure_ascii=False)
    for name in JSON:
        rows = put.chunks["content", path][name]
        assert all(len(row["header"].splitlines()) <= 1 for row in rows)
        if name == "json_recursive_text" and len(rows) > 1:
            continue  # It cuts inside of values; that nothing is lost is in the proof.
        found: dict[str, object] = {}
        for row in rows:
            found |= json.loads(row["opening"] + row["body"] + row["closing"])
        assert found == as_json(string), name
        assert put.spans("content", path, name).count(literal) >= 2, name


@pytest.mark.parametrize("place", NUMBERED)
def test_a_string_is_the_same_in_markdown(put: Put, place: int) -> None:
    path = paragraph_file(place)
    text = put.text("content", path)
    assert STRINGS[place] in text
    for name in MARKDOWN:
        held = put.spans("content", path, name)
        assert STRINGS[place].strip() in held, name
        assert put.proofs["content", path][name].holds


@pytest.mark.parametrize("place", NUMBERED)
def test_a_string_is_the_same_in_csv_and_yaml(put: Put, place: int) -> None:
    string = STRINGS[place]
    row = put.chunks["archive", "all.csv"]["csv_registry"][place]
    (span,) = row["spans"]
    text = put.text("archive", "all.csv")[span["start"] : span["end"]]
    assert next(csv.reader(io.StringIO(text, newline=""))) == [f"Keet {place}", string, "Dorp"]
    shown = [f"provenance_note: {string.strip()}"] if string.strip() else []
    expected = "\n".join([f"preferred_label: Keet {place}", *shown, "settlement: Dorp"])
    assert row["body"] == expected
    assert instance(put, place) == {"preferred_label": f"Keet {place}", "note": string}


@pytest.mark.parametrize("place", NUMBERED)
def test_a_string_is_a_file_name_where_a_file_system_has_it(put: Put, place: int) -> None:
    name = file_name(STRINGS[place])
    if name is None:
        assert "/" in STRINGS[place] or len(STRINGS[place].encode()) > 250
        return
    path = escape_path(name)
    assert unescape_path(path) == name
    file = put.files["named", path]
    if file["fate"] == "dropped":
        assert name.startswith(b".")
        assert file["reason"] in ("pattern_match", "no_extension")
        return
    assert file["fate"] == "kept"
    for strategy in NAMED:
        (row,) = put.chunks["named", path][strategy]
        assert json.loads(row["opening"] + row["body"] + row["closing"]) == {"salt": "pan"}
        assert len(row["header"].splitlines()) <= 1


def test_nothing_is_quarantined_and_every_chunk_is_proved(put: Put) -> None:
    assert put.reasons == {}
    assert all(proof.holds for proofs in put.proofs.values() for proof in proofs.values())
    assert len(put.chunks["archive", "all.csv"]["csv_registry"]) == len(STRINGS)
    entities = {row["unit"].split("/")[1] for row in put.chunks["archive", "all.yaml"]["yaml_instance"]}
    assert entities == {str(place) for place in range(len(STRINGS))}
    assert not any(row["metadata"]["fallback"] for row in put.chunks["archive", "all.yaml"]["yaml_instance"])
    assert {path for source, path in put.files if source == "named"} == {
        escape_path(name) for each in STRINGS if (name := file_name(each))
    }


def test_all_strings_of_one_file_come_back_in_order(put: Put) -> None:
    rows = put.chunks["content", "all.json"]["json_syntax"]
    found = [each for row in rows for each in json.loads(row["opening"] + row["body"] + row["closing"])]
    assert found == STRINGS
