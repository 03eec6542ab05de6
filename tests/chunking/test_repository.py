from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pyarrow as pa
import pytest
from chunking_documents import document, tables

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.registry import Strategy, strategy
from chunk_pipeline.chunking.repository import Chunked, chunk_repository
from chunk_pipeline.warehouse.tables import CHUNKS, QUARANTINE, SKIPS

LABELS = '{\n  "YES": "Oui",\n  "Section": {"A": "ä"}\n}\n'
DOCUMENTS = (
    document(LABELS, "i18n_translations", "i18n/b_fr.json"),
    document(
        '{"$schema": "x", "title": "t", "properties": {"p": {}}}', "schemas_validation", "a.create.json"
    ),
    document("{}", "i18n_translations", "i18n/empty_en.json"),
    document("{oops", "i18n_translations", "i18n/bad_en.json"),
    document("body { color: red }", "other", "style.css"),
)
D = "json_category_breadcrumb"


def _run(documents: tuple[Document, ...], previous: Chunked | None = None, name: str = D) -> Chunked:
    return chunk_repository(strategy(name), *tables(documents), previous)


def _edited(previous: Chunked, **columns: object) -> Chunked:
    """The same with a column of all its chunks set to one value."""
    table = previous.chunks
    for name, value in columns.items():
        field = table.schema.field(name)
        index = table.schema.get_field_index(name)
        table = table.set_column(index, field, pa.array([value] * len(table), field.type))
    return replace(previous, chunks=table)


def _equal(left: Chunked, right: Chunked) -> bool:
    return left.chunks == right.chunks and left.skips == right.skips and left.quarantine == right.quarantine


def test_rows_say_where_a_chunk_is_from() -> None:
    result = _run(DOCUMENTS)
    assert result.chunks.schema == CHUNKS.schema
    rows = result.chunks.to_pylist()
    assert [(row["path"], row["ordinal"]) for row in rows] == [
        ("a.create.json", 0),
        ("a.create.json", 1),
        ("i18n/b_fr.json", 0),
        ("i18n/b_fr.json", 1),
    ]
    section = rows[3]
    (span,) = section["spans"]
    assert LABELS[span["start"] : span["end"]] == '"Section": {"A": "ä"}'
    assert (section["start_line"], section["end_line"], section["unit"]) == (3, 3, "/Section")
    assert section["header"] == "// shop/i18n/b_fr.json :: Section"
    assert section["text"] == f"{section['header']}\n{section['body']}"
    assert (section["n_chars"], section["parses"], section["oversized"]) == (
        len(section["text"]),
        True,
        False,
    )
    assert section["n_tokens"] > 10
    assert section["metadata"] == {"language": "fr", "component": None, "fallback": None, "indivisible": None}


def test_skips_and_unreadable_files_are_listed() -> None:
    result = _run(DOCUMENTS)
    assert result.skips.schema == SKIPS.schema
    assert [(row["path"], row["reason"], row["n_chunks"]) for row in result.skips.to_pylist()] == [
        ("a.create.json", "dialect declaration", 2),
        ("a.create.json", "enclosing name of the properties", 2),
        ("i18n/empty_en.json", "empty document", 0),
    ]
    assert result.quarantine.schema == QUARANTINE.schema
    (row,) = result.quarantine.to_pylist()
    assert (row["path"], row["stage"], row["first_bytes"]) == (
        "i18n/bad_en.json",
        "chunks_json_category_breadcrumb",
        "{oops",
    )
    assert row["error"].startswith("not JSON (RFC 8259): line 1, column 2")
    assert (result.n_files_chunked, result.n_files_reused) == (4, 0)


def test_dropped_files_are_not_cut() -> None:
    result = chunk_repository(strategy(D), *tables(DOCUMENTS, fate="dropped"))
    assert (len(result.chunks), len(result.skips), len(result.quarantine), result.n_files_chunked) == (
        0,
        0,
        0,
        0,
    )


def test_nothing_is_cut_again_when_nothing_has_changed() -> None:
    first = _run(DOCUMENTS)
    second = _run(DOCUMENTS, first)
    assert (second.n_files_chunked, second.n_files_reused) == (0, 4)
    assert _equal(first, second)


def test_only_a_changed_file_is_cut_again_and_a_removed_one_goes() -> None:
    first = _run(DOCUMENTS)
    changed = (document(LABELS.replace("Oui", "Si"), "i18n_translations", "i18n/b_fr.json"), *DOCUMENTS[2:])
    second = _run(changed, first)
    assert (second.n_files_chunked, second.n_files_reused) == (1, 2)
    assert _equal(second, _run(changed))
    assert "a.create.json" not in second.chunks["path"].to_pylist()


@pytest.mark.parametrize(
    "change",
    [
        {"category": "other"},
        {"attributes": (("team", "b"),)},
        {"path": "i18n/c_en.json"},
        {"encoding": "latin-1"},
    ],
    ids=["category", "attributes", "path", "encoding"],
)
def test_a_relabelled_or_moved_file_is_cut_again(change: dict[str, object]) -> None:
    first = _run(DOCUMENTS[:2])
    moved = (replace(DOCUMENTS[0], **change), DOCUMENTS[1])  # type: ignore[arg-type]  # of mixed types
    second = _run(moved, first)
    assert (second.n_files_chunked, second.n_files_reused) == (1, 1)
    assert _equal(second, _run(moved))


def test_rows_of_another_version_are_not_taken_over() -> None:
    first = _edited(_run(DOCUMENTS), strategy_version=0)
    second = _run(DOCUMENTS, first)
    assert second.n_files_reused == 1  # The empty file, whose skip is of this version.
    assert _equal(second, _run(DOCUMENTS))


@pytest.mark.parametrize("torn", ["chunks", "chunks and skips", "chunks and quarantine"])
def test_tables_of_a_killed_run_are_mended(torn: str) -> None:
    old, new = _run(DOCUMENTS[2:3]), _run(DOCUMENTS)
    half = replace(new, chunks=old.chunks)
    if torn == "chunks and skips":
        half = replace(half, skips=old.skips)
    if torn == "chunks and quarantine":
        half = replace(half, quarantine=old.quarantine)
    assert _equal(_run(DOCUMENTS, half), new)


def test_progress_is_told_after_each_file() -> None:
    told: list[tuple[int, int]] = []
    chunk_repository(strategy(D), *tables(DOCUMENTS), None, lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_strategy_that_breaks_on_one_file_does_not_stop_the_others() -> None:
    class Broken(Strategy):
        """Breaks on one file."""

        name: ClassVar[str] = "broken"
        version: ClassVar[int] = 1
        categories: ClassVar[frozenset[str]] = frozenset({"i18n_translations"})
        limit: ClassVar[int] = 500
        format: ClassVar[str] = "text"

        def cut(self, document: Document) -> Iterator[Chunk | Skip]:
            if document.text == "{}":
                raise RecursionError("too deep for me")
            yield Chunk(document.text, (Span(0, len(document.text)),))

    result = chunk_repository(Broken(), *tables(DOCUMENTS))
    assert [row["error"] for row in result.quarantine.to_pylist()] == ["RecursionError: too deep for me"]
    assert result.chunks["path"].to_pylist() == ["i18n/b_fr.json", "i18n/bad_en.json"]


def test_a_missing_text_is_an_error_that_names_the_file() -> None:
    files, contents = tables(DOCUMENTS)
    with pytest.raises(ValueError, match=r"shop/i18n/b_fr\.json"):
        chunk_repository(strategy(D), files, contents.slice(0, 0))
