"""Structural metrics: the reference table on the real files, and losses that must not go unseen."""

from __future__ import annotations

import pyarrow as pa
import pytest
from evaluation_tables import chunk_row, chunk_table, file_tables, skip_table

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import strategies, strategy
from chunk_pipeline.chunking.repository import chunk_repository
from chunk_pipeline.evaluation.structure import structure_metrics
from chunk_pipeline.warehouse.tables import STRUCTURE_METRICS

JSON = ("json_recursive_text", "json_recursive_tree", "json_category", "json_category_breadcrumb")
TEXT = '{"title": "Delete item", "list": [1, 2.50], "none": null}'


def figures(table: pa.Table, category: str = "all") -> dict[str, float | None]:
    return {row["metric"]: row["value"] for row in table.to_pylist() if row["category"] == category}


def cut(name: str, files: pa.Table, contents: pa.Table) -> dict[str, float | None]:
    made = chunk_repository(strategy(name), files, contents)
    return figures(structure_metrics(name, made.chunks, made.skips, files, contents))


def whole(body: str, **columns: object) -> dict[str, object]:
    """A chunk of all of ``TEXT`` with this body."""
    return chunk_row("x", "a.json", [(0, len(TEXT))], body, **columns)


def measured(*rows: dict[str, object], skips: pa.Table | None = None) -> dict[str, float | None]:
    files, contents = file_tables({"a.json": TEXT})
    left_out = skip_table() if skips is None else skips
    return figures(structure_metrics("json_category", chunk_table(rows), left_out, files, contents))


@pytest.mark.parametrize(
    ("name", "chunks", "mean", "median", "p95", "longest", "oversized", "integrity"),
    [
        ("json_recursive_text", 971, 450, 467, 493, 500, 0.0, 0.7),
        ("json_recursive_tree", 946, 380, 412, 490, 499, 0.0, 100.0),
        ("json_category", 1134, 340, 363, 628, 1375, 4.2, 100.0),
        ("json_category_breadcrumb", 1134, 388, 409, 682, 1432, 4.6, 100.0),
    ],
)
def test_the_real_files_give_the_table_of_the_study(
    kalisio: list[Document],
    name: str,
    chunks: int,
    mean: int,
    median: int,
    p95: int,
    longest: int,
    oversized: float,
    integrity: float,
) -> None:
    pieces, left_out, all_files, all_contents = [], [], [], []
    for repository in sorted({document.repository for document in kalisio}):
        files, contents = _tables([each for each in kalisio if each.repository == repository])
        made = chunk_repository(strategy(name), files, contents)
        pieces.append(made.chunks)
        left_out.append(made.skips)
        all_files.append(files)
        all_contents.append(contents)
    tables = (pa.concat_tables(each) for each in (pieces, left_out, all_files, all_contents))
    found = figures(structure_metrics(name, *tables))
    assert (found["chunks"], found["files"], found["files_uncut"]) == (chunks, 60, 0)
    # The study cuts means and medians to whole numbers.
    assert [int(found[metric] or 0) for metric in ("mean", "median")] == [mean, median]
    assert (found["p95"], found["max"]) == (p95, longest)
    assert round(100 * (found["oversized"] or 0), 1) == oversized
    assert round(100 * (found["parse_integrity"] or 0), 1) == integrity
    assert found["cover"] == 1.0
    assert (found["leaf_coverage"] or 0) + (found["leaf_skipped"] or 0) == pytest.approx(1.0)


def _tables(documents: list[Document]) -> tuple[pa.Table, pa.Table]:
    files, contents = file_tables({each.path: each.text for each in documents})
    repository = pa.array([each.repository for each in documents], pa.string())
    category = pa.array([each.category for each in documents], pa.string())
    files = files.set_column(0, files.schema.field("repository"), repository)
    files = files.set_column(
        files.schema.get_field_index("category"), files.schema.field("category"), category
    )
    return files, contents.set_column(0, contents.schema.field("repository"), repository)


@pytest.mark.parametrize("name", JSON)
def test_every_strategy_keeps_every_leaf_of_awkward_values(name: str) -> None:
    texts = {
        "numbers.json": '{"a": 1.10, "b": 1e2, "c": 123456789012345678901234567890, "d": -0, "e": true}',
        "keys.json": '{"a/b": {"~": "x", "": "y"}, "list": [{"k": null}, ["v"]], "é": "ü"}',
    }
    found = cut(name, *file_tables(texts))
    assert found["leaf_coverage"] == 1.0
    assert found["cover"] == 1.0


def test_values_that_a_chunk_changes_drops_or_renames_are_not_found() -> None:
    assert measured(whole(TEXT))["leaf_coverage"] == 1.0
    assert measured(whole(TEXT.replace("2.50", "2.5")))["leaf_coverage"] == 1.0
    assert measured(whole(TEXT.replace("2.50", "2.51")))["leaf_coverage"] == 0.75
    assert measured(whole(TEXT.replace('"title"', '"other"')))["leaf_coverage"] == 0.75
    assert measured(whole(TEXT.replace("null", '"null"')))["leaf_coverage"] == 0.75
    as_object = TEXT.replace("[1, 2.50]", '{"0": 1, "1": 2.50}')
    assert measured(whole(as_object))["leaf_coverage"] == 1.0


def test_a_leaf_that_a_span_cuts_is_not_found() -> None:
    pieces = [
        chunk_row("x", "a.json", [(0, 15)], TEXT[:15], parses=False),
        chunk_row("y", "a.json", [(15, len(TEXT))], TEXT[15:], parses=False),
    ]
    assert measured(*pieces)["leaf_coverage"] == 0.75
    assert measured(*pieces)["cover"] == 1.0


def test_skips_count_as_cover_and_are_told_apart_from_leaves_found() -> None:
    start = TEXT.index('"none"')
    piece = chunk_row("x", "a.json", [(0, start)], TEXT[: start - 2] + "}")
    found = measured(piece, skips=skip_table([("a.json", start, len(TEXT), "because")]))
    assert (found["leaf_coverage"], found["leaf_skipped"], found["cover"]) == (0.75, 0.25, 1.0)
    lost = measured(piece)
    assert lost["leaf_skipped"] == 0.0
    assert 0 < (lost["cover"] or 0) < 1


def test_duplication_counts_bytes_of_text_header_included() -> None:
    found = measured(whole(TEXT), {**whole(TEXT), "text": "// a\n" + TEXT})
    assert found["duplication"] == pytest.approx((2 * len(TEXT) + 5) / len(TEXT))


def test_files_that_were_not_cut_are_counted_apart() -> None:
    found = measured()
    assert (found["files"], found["files_uncut"], found["chunks"]) == (0, 1, 0)
    assert found["mean"] is None
    assert found["leaf_coverage"] is None


def test_no_files_give_a_table_of_the_declared_schema() -> None:
    files, contents = file_tables({})
    for each in strategies():
        table = structure_metrics(each.name, chunk_table([]), skip_table(), files, contents)
        assert table.schema.equals(STRUCTURE_METRICS.schema)
        assert figures(table)["chunks"] == 0


def test_chunks_over_the_limit_that_fell_back_and_that_are_broken_are_told_apart() -> None:
    reason = {"language": None, "component": None, "fallback": "it does not parse"}
    found = measured(
        chunk_row("a", "a.json", [(0, 20)], TEXT[:20], parses=False, metadata=reason),
        chunk_row("b", "a.json", [(20, 40)], TEXT[20:40], parses=False),
        chunk_row("c", "a.json", [(40, 50)], TEXT[40:50], n_chars=strategy("json_category").limit + 1),
        chunk_row("d", "a.json", [(50, 60)], TEXT[50:60], n_chars=strategy("json_category").limit),
    )
    assert (found["fallbacks"], found["broken"], found["parse_integrity"]) == (0.25, 0.25, 0.5)
    assert (found["over_limit"], found["oversized"]) == (0.25, 0.0)


def test_a_text_strategy_is_held_to_markdown_where_it_cuts_markdown() -> None:
    files, contents = file_tables({"a.md": "```js\n1\n```\n"}, "markdown")
    rows = [
        chunk_row("a", "a.md", [(0, 7)], "```js\n1", category="markdown"),
        chunk_row("b", "a.md", [(0, 7)], "```js\n1", category="markdown", closing="\n```"),
    ]
    table = structure_metrics("recursive", chunk_table(rows), skip_table(), files, contents)
    assert figures(table, "markdown")["parse_integrity"] == 0.5
