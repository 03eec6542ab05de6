"""The whole of JSONTestSuite through the pipeline: what orjson reads is cut and nothing else."""

from __future__ import annotations

import codecs
from pathlib import Path

import orjson
import pytest

from tests.bad_inputs.corpora import UNSET, files_of, parameters_of
from tests.bad_inputs.pipeline import Put, put_through

STRATEGIES = ("json_category", "json_category_breadcrumb", "json_syntax")
BASELINES = ("json_recursive_text", "json_recursive_tree")
FOLDERS = ("other", "i18n", "test/config")
"""Each file is in a folder of each: its category decides how it is cut."""

WIDER: dict[str, dict[str, object]] = {
    "wide": {"extends": "js_vue_rag", "cap": 1_000_000, "max_line": 1_000_000}
}
"""The largest case has 250,001 bytes on one line."""

FILES = files_of("json_test_suite", "test_parsing", "test_transform")
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
CODECS = ("utf-8", "utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    if not FILES:
        pytest.skip(UNSET)
    files = {
        f"{folder}/{file.parent.name}/{file.name}".encode(): file.read_bytes()
        for file in FILES
        for folder in FOLDERS
    }
    root = tmp_path_factory.mktemp("suite")
    return put_through(root, {"wide": files}, strategies=(*STRATEGIES, *BASELINES), profiles=WIDER)


def decoded(data: bytes) -> str | None:
    """The text that a file is, by its mark or as UTF-8; ``None`` where it is none, or holds a NUL."""
    for mark, name in zip(MARKS, CODECS, strict=True):
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            break
    else:
        encoding = "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def is_json(text: str) -> bool:
    """What orjson says of it."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def places(file: Path) -> list[str]:
    return [f"{folder}/{file.parent.name}/{file.name}" for folder in FOLDERS]


@pytest.mark.parametrize("file", parameters_of((f"row 14 {file.name}", file) for file in FILES))
def test_a_file_is_cut_where_orjson_reads_it_and_else_quarantined(put: Put, file: Path) -> None:
    text = decoded(file.read_bytes())
    for path in places(file):
        fate = put.files["wide", path]["fate"]
        if text is None:
            assert fate == "quarantined"
        elif not text.strip():
            assert (fate, put.files["wide", path]["reason"]) == ("dropped", "empty")
        else:
            assert fate == "kept"
        for name in STRATEGIES:
            reason = put.reason("wide", path, name)
            chunks = put.chunks.get(("wide", path), {}).get(name, [])
            if text is None or not is_json(text):
                assert not chunks
                assert fate == "dropped" or reason.startswith(("not JSON (RFC 8259): line", "undecodable: "))
                continue
            assert reason == ""
            proof = put.proofs["wide", path][name]
            assert proof.holds
            assert proof.cover == 1
            assert proof.parsing == len(chunks)
            if not chunks:
                assert orjson.loads(text) in ({}, [])
                assert [row["reason"] for row in put.skips["wide", path][name]] == ["empty document"]


def test_the_baselines_lose_nothing_of_what_is_text(put: Put) -> None:
    kept = {key for key, row in put.files.items() if row["fate"] == "kept"}
    assert len(kept) > 290 * len(FOLDERS)
    for key in kept:
        assert not put.reasons.get(key, {}).keys() & {f"chunks_{name}" for name in BASELINES}
        assert all(put.proofs[key][name].holds for name in BASELINES), key


def test_what_must_parse_is_cut_and_what_must_not_is_refused(put: Put) -> None:
    counts = {"y": [0, 0, 0], "n": [0, 0, 0], "i": [0, 0, 0]}
    for file in FILES:
        if file.parent.name != "test_parsing":
            continue
        (path, *_) = places(file)
        fate = put.files["wide", path]["fate"]
        cut = fate == "kept" and put.reason("wide", path, "json_syntax") == ""
        refused = fate == "quarantined" or bool(put.reason("wide", path, "json_syntax"))
        for place, holds in enumerate((cut, refused, fate == "dropped")):
            counts[file.name[0]][place] += holds
    # Three of those that must not parse hold nothing, or a space, or a mark: they are left out as empty.
    assert counts["y"] == [95, 0, 0]
    assert counts["n"] == [0, 185, 3]
    assert sum(counts["i"]) == 35
    assert counts["i"][2] == 0
