"""Damage done to fates, vectors, indexes and gold fails the check that is there for it; the row is named."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from stages_project import Row, named, rewrite

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.embedding.model_files import model_key
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model
from chunk_pipeline.stages.finding import Finding
from chunk_pipeline.stages.table_proofs import (
    prove_bm25_index,
    prove_dense_index,
    prove_files,
    prove_gold,
    prove_nothing_truncated,
    prove_vectors,
)
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import (
    BM25_CHUNKS,
    DENSE_INDEX,
    FILES,
    FILTERED_FILES,
    GOLD_QUERIES,
    RAW_FILES,
    VECTORS,
    Table,
)

NAME = "json_category"
FATES = "every_file_has_one_fate"
KEY = model_key(model(DEFAULT_MODEL), "fp32")
OF_REPOSITORY = Partition(repository="harbour")
OF_STRATEGY = Partition(strategy=NAME)
OF_BOTH = Partition(strategy=NAME, repository="harbour")
INDEXES: list[tuple[Table, Callable[..., Finding]]] = [
    (DENSE_INDEX, prove_dense_index),
    (BM25_CHUNKS, prove_bm25_index),
]
EACH_INDEX = pytest.mark.parametrize(("table", "proof"), INDEXES, ids=["dense", "bm25"])


def vectors_after(workspace: Workspace, change: Callable[[list[Row]], object]) -> Finding:
    rewrite(workspace.warehouse, VECTORS, change, OF_BOTH)
    return prove_vectors(workspace, "harbour", strategy(NAME))


def test_undamaged_tables_pass(untouched: Workspace) -> None:
    fates = named(prove_files(untouched, "harbour"), FATES)
    findings = [fates, prove_gold(untouched)]
    for each in untouched.strategies:
        findings.append(prove_dense_index(untouched, each))
        findings.append(prove_bm25_index(untouched, each))
        findings += [prove_vectors(untouched, name, each) for name in ("harbour", "atlas-docs")]
    for finding in findings:
        assert finding.passed, finding
        assert (finding.figure, finding.worst) == (0, ())
        assert finding.of > 0


def test_the_file_of_the_sample_that_is_not_utf_8_is_named(untouched: Workspace) -> None:
    finding = named(prove_files(untouched, "harbour"), "nothing_quarantined")
    assert not finding.passed
    assert [each["path"] for each in finding.worst] == ["test/data/quay-names.json"]
    assert named(prove_files(untouched, "atlas-docs"), "nothing_quarantined").passed


def test_a_scanned_path_without_a_fate_is_named(workspace: Workspace) -> None:
    rewrite(
        workspace.warehouse,
        FILTERED_FILES,
        lambda rows: rows.remove(next(row for row in rows if row["path"] == "package.json")),
        OF_REPOSITORY,
    )
    finding = named(prove_files(workspace, "harbour"), FATES)
    assert not finding.passed
    assert (finding.figure, finding.worst) == (1, ({"path": "package.json"},))


def test_a_fate_of_a_path_that_was_never_scanned_is_named(workspace: Workspace) -> None:
    rewrite(
        workspace.warehouse,
        RAW_FILES,
        lambda rows: rows.remove(next(row for row in rows if row["path"] == "README.md")),
        OF_REPOSITORY,
    )
    finding = named(prove_files(workspace, "harbour"), FATES)
    assert not finding.passed
    assert finding.worst == ({"path": "README.md"},)


def test_a_dropped_file_without_a_reason_is_named(workspace: Workspace) -> None:
    def change(rows: list[Row]) -> None:
        next(row for row in rows if row["path"] == "README.md")["reason"] = None

    rewrite(workspace.warehouse, FILTERED_FILES, change, OF_REPOSITORY)
    finding = named(prove_files(workspace, "harbour"), FATES)
    assert not finding.passed
    assert finding.worst == ({"path": "README.md", "fate": "dropped"},)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda vector: [math.nan, *vector[1:]],
        lambda vector: [math.inf, *vector[1:]],
        lambda vector: [0.0] * len(vector),
        lambda vector: [1.01 * each for each in vector],
    ],
    ids=["not a number", "infinite", "zero", "too long"],
)
def test_an_unsound_vector_is_named(
    workspace: Workspace, spoil: Callable[[list[float]], list[float]]
) -> None:
    seen: list[str] = []

    def change(rows: list[Row]) -> None:
        rows[3]["vector"] = spoil(rows[3]["vector"])
        seen.append(rows[3]["text_sha256"])

    finding = vectors_after(workspace, change)
    assert not finding.passed
    assert (finding.figure, finding.worst) == (1, ({"text_sha256": seen[0], "model": KEY},))


def test_a_missing_vector_is_named(workspace: Workspace) -> None:
    gone: list[Row] = []
    finding = vectors_after(workspace, lambda rows: gone.append(rows.pop()))
    assert not finding.passed
    assert finding.worst == ({"text_sha256": gone[0]["text_sha256"], "model": KEY},)


def test_a_vector_that_no_chunk_needs_is_named(workspace: Workspace) -> None:
    finding = vectors_after(workspace, lambda rows: rows.append({**rows[0], "text_sha256": "f" * 64}))
    assert not finding.passed
    assert finding.worst == ({"text_sha256": "f" * 64, "model": KEY},)


def test_a_text_that_the_model_cut_is_named_with_its_file(workspace: Workspace) -> None:
    # Two chunks of the sample really are over the limit: these strategies count characters.
    before = prove_nothing_truncated(workspace, "harbour", strategy(NAME))
    assert (before.passed, before.figure) == (False, 2)

    def change(rows: list[Row]) -> None:
        for row in rows:
            row["n_tokens"] = 256
        rows[1]["n_tokens"], rows[2]["n_tokens"] = 257, None

    rewrite(workspace.warehouse, VECTORS, change, OF_BOTH)
    finding = prove_nothing_truncated(workspace, "harbour", strategy(NAME))
    assert not finding.passed
    assert [row["tokens"] for row in finding.worst[:1]] == [257]
    assert {row["limit"] for row in finding.worst} == {256}
    assert {row["tokens"] for row in finding.worst} == {257, None}
    assert all(str(row["path"]).endswith(".json") for row in finding.worst)


@EACH_INDEX
def test_a_chunk_that_an_index_lacks_is_named(
    workspace: Workspace, table: Table, proof: Callable[..., Finding]
) -> None:
    gone: list[Row] = []
    rewrite(workspace.warehouse, table, lambda rows: gone.append(rows.pop(5)), OF_STRATEGY)
    finding = proof(workspace, strategy(NAME))
    assert not finding.passed
    assert (finding.figure, finding.worst) == (1, ({"chunk_id": gone[0]["chunk_id"]},))


@EACH_INDEX
def test_a_chunk_that_an_index_should_not_hold_is_named(
    workspace: Workspace, table: Table, proof: Callable[..., Finding]
) -> None:
    def change(rows: list[Row]) -> None:
        rows.append(
            {**rows[-1], "chunk_id": "f" * 32} | ({"ordinal": len(rows)} if "ordinal" in rows[0] else {})
        )

    rewrite(workspace.warehouse, table, change, OF_STRATEGY)
    finding = proof(workspace, strategy(NAME))
    assert not finding.passed
    assert finding.worst == ({"chunk_id": "f" * 32},)


@EACH_INDEX
def test_a_chunk_that_an_index_holds_twice_fails(
    workspace: Workspace, table: Table, proof: Callable[..., Finding]
) -> None:
    rewrite(workspace.warehouse, table, lambda rows: rows.append(dict(rows[-1])), OF_STRATEGY)
    assert not proof(workspace, strategy(NAME)).passed


def test_a_gold_span_outside_its_file_is_named(workspace: Workspace) -> None:
    seen: list[Row] = []

    def change(rows: list[Row]) -> None:
        rows[0]["relevant"][0]["end"] = 10_000_000
        seen.append(rows[0])

    rewrite(workspace.warehouse, GOLD_QUERIES, change)
    finding = prove_gold(workspace)
    span = seen[0]["relevant"][0]
    assert not finding.passed
    assert finding.worst == (
        {
            "query": seen[0]["query"],
            "path": f"{span['repository']}/{span['path']}",
            "start": span["start"],
        },
    )


@pytest.mark.parametrize("change", [{"end": 0}, {"start": -1}], ids=["empty", "before the file"])
def test_a_gold_span_that_is_none_is_found(workspace: Workspace, change: dict[str, int]) -> None:
    rewrite(workspace.warehouse, GOLD_QUERIES, lambda rows: rows[0]["relevant"][0].update(change))
    finding = prove_gold(workspace)
    assert (finding.passed, finding.figure) == (False, 1)


def test_gold_of_a_file_that_is_gone_is_named(workspace: Workspace) -> None:
    path = "src/i18n/app_en.json"
    rewrite(
        workspace.warehouse,
        FILES,
        lambda rows: rows.remove(next(row for row in rows if row["path"] == path)),
        OF_REPOSITORY,
    )
    finding = prove_gold(workspace)
    assert not finding.passed
    assert {each["path"] for each in finding.worst} == {f"harbour/{path}"}


@EACH_INDEX
def test_a_chunk_that_is_twice_in_an_index_is_named(
    workspace: Workspace, table: Table, proof: Callable[..., Finding]
) -> None:
    twice: list[str] = []

    def double(rows: list[Row]) -> None:
        rows.append(dict(rows[0]))
        twice.append(rows[0]["chunk_id"])

    rewrite(workspace.warehouse, table, double, OF_STRATEGY)
    finding = proof(workspace, strategy(NAME))
    assert not finding.passed
    assert [row["chunk_id"] for row in finding.worst] == twice


def test_a_vector_that_is_there_twice_is_named(workspace: Workspace) -> None:
    finding = vectors_after(workspace, lambda rows: rows.append(dict(rows[0])))
    assert not finding.passed
    assert len(finding.worst) == 1
