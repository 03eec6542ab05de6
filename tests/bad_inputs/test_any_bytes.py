"""Whatever bytes stand under whatever suffix: each file has one fate, and none stops the others."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.instance_yaml.compose import compose
from chunk_pipeline.chunking.json.lines import parse_json_or_lines
from chunk_pipeline.chunking.json.names import repeated_names
from chunk_pipeline.chunking.json.tree import Node
from chunk_pipeline.corpus.decoding import Decoded, UndecodableError, decode
from tests.bad_inputs.pipeline import Put, put_through

JSON = (
    "json_category",
    "json_category_breadcrumb",
    "json_recursive_text",
    "json_recursive_tree",
    "json_syntax",
)
HERITAGE = ("conversation", "csv_registry", "document", "recursive", "website", "yaml_instance")
SUFFIXES = (".json", ".csv", ".tsv", ".yaml", ".yml", ".md", ".html", ".docx", ".pdf", ".txt", ".png", "")
GOOD = {
    "wide": {b"good.json": b'{"salt": "pan"}'},
    "archive": {
        b"good.csv": b"Instelling,Plaats\nZoutkeet,Waterkerk\n",
        b"good.yaml": b"preferred_label: Zoutkeet\n",
        b"good.md": b"# Salt\n\nA pan.\n",
    },
}

_MARKS = (
    rb"""{ } [ ] " : , - ; # \ % & < <p> </p> &#0; &a *a !!str null 1e5 -- --- ... ' ` ~ =1+1 \u0000 \ud800"""
)
_LINES = (
    b"",
    b" ",
    b"\n",
    b"\r",
    b"\t",
    b"|\n  ",
    b"> ",
    b"```\n",
    b"preferred_label: A\n",
    b"Instelling",
    b'{"a": 1}\n',
    b" " * 50,
)
_CODES = (
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"PK\x03\x04",
    b"%PDF-1.4\n",
    b"\xe2\x80\xa8",
)
_PARTS = st.sampled_from((*_MARKS.split(b" "), *_LINES, *_CODES, "é😀\x85".encode()))
BYTES = st.one_of(st.binary(max_size=120), st.lists(_PARTS, max_size=25).map(b"".join))
FILES = st.lists(st.tuples(st.sampled_from(SUFFIXES), BYTES), min_size=20, max_size=60)


def run(root: Path, found: list[tuple[str, bytes]]) -> Put:
    """The files in a source of each profile, beside good ones, through all stages up to chunks."""
    bad = {f"bad/{place:02}{suffix}".encode(): data for place, (suffix, data) in enumerate(found)}
    put = put_through(root / "w", {"wide": {**bad, **GOOD["wide"]}}, strategies=JSON)
    put.add(put_through(root / "a", {"archive": {**bad, **GOOD["archive"]}}, strategies=HERITAGE))
    paths = {path.decode() for path in bad}
    assert all(set(put.files) >= {(name, path) for path in paths} for name in GOOD)
    return put


def has_one_end(put: Put, key: tuple[str, str]) -> bool:
    """Whether a file is dropped or quarantined with a reason, or kept and refused or cut by each strategy."""
    row = put.files[key]
    stages = put.reasons.get(key, {})
    cut = put.chunks.get(key, {}).keys() | put.skips.get(key, {}).keys()
    if row["fate"] == "kept":
        refused = {stage.removeprefix("chunks_") for stage in stages}
        return not row["reason"] and "filtered_files" not in stages and not refused & cut
    told = row["fate"] == "dropped" and not stages
    told |= row["fate"] == "quarantined" and stages.keys() == {"filtered_files"}
    return bool(row["reason"]) and told and not cut


@pytest.mark.slow
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(FILES)
def test_any_bytes_under_any_suffix_have_one_fate_and_stop_nothing(found: list[tuple[str, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as root:
        put = run(Path(root), found)
    assert all(has_one_end(put, key) for key in put.files)
    for source, good in GOOD.items():
        for path in good:
            assert put.chunks[source, path.decode()], path
            assert put.proofs[source, path.decode()]
    assert all(proof.holds for proofs in put.proofs.values() for proof in proofs.values())


def outcome(read: Callable[[], object]) -> object:
    """What a reader gives, or the reason why it gives nothing."""
    try:
        return read()
    except (UndecodableError, UnparsableError) as error:
        return str(error) or "no reason"


@given(BYTES)
def test_bytes_are_decoded_without_a_change_or_refused(data: bytes) -> None:
    decoded = outcome(lambda: decode(data))
    if not isinstance(decoded, Decoded):
        assert str(decoded).startswith(("not utf", "binary: NUL"))
        return
    assert "\0" not in decoded.text
    encoded = decoded.text.encode(decoded.encoding.removesuffix("-sig"))
    assert data.endswith(encoded)
    assert len(data) - len(encoded) in (0, 2, 3, 4)


@given(BYTES)
def test_json_is_what_orjson_reads_whole_or_line_by_line(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    found = outcome(lambda: parse_json_or_lines(text))
    try:
        meant = orjson.loads(text)
    except orjson.JSONDecodeError:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not all(map(is_json, lines)):
            assert str(found).startswith("not JSON (RFC 8259): line ")
            return
        meant = [orjson.loads(line) for line in lines]
    assert isinstance(found, Node)
    assert found.value(text) == meant


def is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


@given(st.lists(st.tuples(st.text(max_size=3), st.integers(0, 3)), max_size=8))
def test_repeated_names_are_those_that_a_reader_loses(members: list[tuple[str, int]]) -> None:
    text = "{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in members) + "}"
    found = list(repeated_names(parse_json_or_lines(text)))
    assert len(found) == len(members) - len(json.loads(text))
    assert all(
        json.loads(text[each.start :].partition(":")[0]) == each.name
        for each in found
        if ":" not in each.name
    )


@given(BYTES)
def test_yaml_is_composed_or_refused_with_its_place(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    roots = outcome(lambda: compose(text, "a.yaml"))
    if isinstance(roots, str):
        assert roots.startswith("a.yaml: line ")
        return
    assert isinstance(roots, tuple)
    assert len(roots) == len(list(yaml.compose_all(text.lstrip("\ufeff"), Loader=yaml.CSafeLoader)))
