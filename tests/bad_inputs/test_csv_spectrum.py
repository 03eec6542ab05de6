"""csv-spectrum through the reader of registries and through the pipeline: the rows are those of its JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunk_pipeline.chunking.registry_csv.layout import find_table
from chunk_pipeline.corpus.decoding import decode
from tests.bad_inputs.corpora import UNSET, files_of, parameters_of
from tests.bad_inputs.pipeline import Put, put_through

FILES = files_of("csv_spectrum", "csvs")
CASES = parameters_of((f"row 32 {file.name}", file) for file in FILES)
COLUMNS = {
    "a": "preferred_label",
    "first": "preferred_label",
    "key": "preferred_label",
    "Cities": "settlement",
}
"""A column of each file, so that the registry strategy knows it."""

MASKED = ("location_coordinates.csv", "Contact Phone Number")
"""The collection's own JSON has another telephone number than its CSV."""


@pytest.fixture(scope="module")
def put(tmp_path_factory: pytest.TempPathFactory) -> Put:
    if not FILES:
        pytest.skip(UNSET)
    files = {file.name.encode(): file.read_bytes() for file in FILES}
    mapped = "; ".join(f"{column}={slot}" for column, slot in COLUMNS.items())
    root = tmp_path_factory.mktemp("spectrum")
    return put_through(
        root, {"archive": files}, strategies=["csv_registry"], metadata={"registry_columns": mapped}
    )


def rows_meant(file: Path, told: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows that the collection says the file has; what its JSON has masked is as it was read."""
    said = json.loads((file.parents[1] / "json" / f"{file.stem}.json").read_text(encoding="utf-8"))
    rows: list[dict[str, str]] = said if isinstance(said, list) else [said]
    if file.name == MASKED[0]:
        assert told[0][MASKED[1]] == "2095257564"
        rows[0][MASKED[1]] = told[0][MASKED[1]]
    return rows


def rows_read(text: str) -> list[dict[str, str]]:
    """The rows that our reader gives of a file."""
    layout = find_table(text, COLUMNS).layout
    records = [record for record in layout.records(text) if record.fields]
    return [
        dict(zip(layout.columns, (field.value for field in record.fields), strict=True))
        for record in records[layout.header + 1 :]
    ]


@pytest.mark.parametrize("file", CASES)
def test_the_reader_gives_the_rows_that_the_json_says(file: Path) -> None:
    read = rows_read(decode(file.read_bytes()).text)
    assert read == rows_meant(file, read)


@pytest.mark.parametrize("file", CASES)
def test_the_chunks_are_the_rows_that_the_json_says(put: Put, file: Path) -> None:
    chunks = put.chunks["archive", file.name]["csv_registry"]
    text = put.text("archive", file.name)
    header = text.splitlines()[0]
    spans = [span for row in chunks for span in row["spans"]]
    assert len(spans) == len(chunks)
    read = [row for span in spans for row in rows_read(f"{header}\n{text[span['start'] : span['end']]}")]
    meant = rows_meant(file, read)
    assert read == meant
    assert [row["unit"] for row in chunks] == [str(number) for number in range(1, len(meant) + 1)]
    assert [row["body"] for row in chunks] == [
        "\n".join(f"{COLUMNS.get(name, name)}: {value}" for name, value in each.items() if value)
        for each in meant
    ]


def test_nothing_is_quarantined_or_lost(put: Put) -> None:
    assert put.reasons == {}
    for file in FILES:
        assert put.proofs["archive", file.name]["csv_registry"].holds
