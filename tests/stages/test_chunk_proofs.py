"""Damage done to stored chunks fails the check that is there for it, and the row is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from stages_project import Row, named, rewrite

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.stages.chunk_proofs import prove_chunks
from chunk_pipeline.stages.finding import WORST, Finding
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, SKIPS
from tests.end_to_end.project import JSON_STRATEGIES

SOURCE = "harbour"
CHECKS = [
    "chunk_ids_unique",
    "spans_exact",
    "cover_complete",
    "parse_integrity",
    "within_limit",
    "no_chunk_oversized",
    "nothing_fell_back",
    "nothing_quarantined",
]
EXACT = pytest.mark.parametrize("name", JSON_STRATEGIES)
OVERLAPPING = "json_recursive_text"


def own(name: str) -> Partition:
    return Partition(strategy=name, repository=SOURCE)


def damaged(workspace: Workspace, name: str, change: Callable[[list[Row]], object]) -> list[Finding]:
    """The findings after the stored chunks were changed."""
    rewrite(workspace.warehouse, CHUNKS, change, own(name))
    return prove_chunks(workspace, SOURCE, strategy(name))


def an_i18n_chunk(rows: list[Row]) -> int:
    """Place of a chunk in the middle of the English translations."""
    places = [place for place, row in enumerate(rows) if row["path"] == "src/i18n/app_en.json"]
    return places[len(places) // 2]


@EXACT
def test_undamaged_chunks_pass(untouched: Workspace, name: str) -> None:
    findings = prove_chunks(untouched, "atlas-docs", strategy(name))
    assert [each.name for each in findings] == CHECKS
    for finding in findings:
        if finding.name not in ("parse_integrity", "within_limit", "no_chunk_oversized"):
            assert finding.passed, finding
            assert finding.worst == ()
    assert named(findings, "parse_integrity").passed == (name != OVERLAPPING)
    assert named(findings, "within_limit").passed == (name in ("json_recursive_text", "json_recursive_tree"))
    assert named(findings, "cover_complete").of > 1000


@EXACT
def test_a_body_that_is_not_the_source_s_is_found(workspace: Workspace, name: str) -> None:
    seen: list[Row] = []

    def change(rows: list[Row]) -> None:
        row = rows[an_i18n_chunk(rows)]
        row["body"] = row["body"].replace("e", "3")
        seen.append(row)

    finding = named(damaged(workspace, name, change), "spans_exact")
    assert not finding.passed
    assert finding.figure == pytest.approx(1 - 1 / finding.of)
    (worst,) = finding.worst
    assert (worst["path"], worst["unit"]) == (seen[0]["path"], seen[0]["unit"])
    assert worst["start"] == seen[0]["spans"][0]["start"]
    assert worst["why"]


@EXACT
def test_a_span_that_points_elsewhere_is_found(workspace: Workspace, name: str) -> None:
    seen: list[Row] = []

    def change(rows: list[Row]) -> None:
        row = rows[an_i18n_chunk(rows)]
        # Where the first chunk of the same file lies.
        first = next(each for each in rows if each["path"] == row["path"])
        row["spans"] = [{"start": first["spans"][0]["start"], "end": first["spans"][0]["start"] + 9}]
        seen.append(row)

    findings = damaged(workspace, name, change)
    exact = named(findings, "spans_exact")
    assert not exact.passed
    assert (seen[0]["path"], seen[0]["unit"]) in {(each["path"], each["unit"]) for each in exact.worst}
    assert not named(findings, "cover_complete").passed


@EXACT
def test_a_missing_chunk_leaves_a_hole_that_is_shown(workspace: Workspace, name: str) -> None:
    gone: list[Row] = []

    def change(rows: list[Row]) -> None:
        gone.append(rows.pop(an_i18n_chunk(rows)))

    findings = damaged(workspace, name, change)
    # The chunk behind it says that it repeats some of it.
    assert named(findings, "spans_exact").passed == (name != OVERLAPPING)
    finding = named(findings, "cover_complete")
    assert not finding.passed
    assert 0.9 < finding.figure < 1
    assert {each["path"] for each in finding.worst} == {gone[0]["path"]}
    starts = [span["start"] for span in gone[0]["spans"]]
    ends = [span["end"] for span in gone[0]["spans"]]
    assert all(min(starts) <= int(str(each["start"])) < max(ends) for each in finding.worst)
    assert all(each["text"] and each["characters"] for each in finding.worst)


def test_a_skip_that_is_gone_leaves_a_hole(workspace: Workspace) -> None:
    name = "json_category"
    skips = workspace.warehouse.read(SKIPS, own(name)).to_pylist()
    rewrite(workspace.warehouse, SKIPS, lambda rows: rows.clear(), own(name))
    finding = named(prove_chunks(workspace, SOURCE, strategy(name)), "cover_complete")
    assert not finding.passed
    assert {each["path"] for each in finding.worst} <= {row["path"] for row in skips}


@EXACT
def test_an_id_that_two_chunks_have_is_named(workspace: Workspace, name: str) -> None:
    def change(rows: list[Row]) -> None:
        rows[1]["chunk_id"] = rows[0]["chunk_id"]

    finding = named(damaged(workspace, name, change), "chunk_ids_unique")
    first = workspace.warehouse.read(CHUNKS, own(name)).to_pylist()[0]["chunk_id"]
    assert not finding.passed
    assert (finding.figure, finding.worst) == (1, ({"chunk_id": first},))


@EXACT
def test_the_largest_of_the_oversized_chunks_comes_first(workspace: Workspace, name: str) -> None:
    def change(rows: list[Row]) -> None:
        for row, length in zip(rows, (800, 900), strict=False):
            row.update(oversized=True, n_chars=length)
        for row in rows[2:]:
            row["oversized"] = False

    findings = damaged(workspace, name, change)
    finding = named(findings, "no_chunk_oversized")
    rows = workspace.warehouse.read(CHUNKS, own(name)).to_pylist()
    assert not finding.passed
    assert finding.figure == 2 / len(rows)
    assert [(each["n_chars"], each["path"], each["unit"]) for each in finding.worst] == [
        (row["n_chars"], row["path"], row["unit"]) for row in (rows[1], rows[0])
    ]


def test_chunks_within_the_limit_pass(workspace: Workspace) -> None:
    def change(rows: list[Row]) -> None:
        for row in rows:
            row["oversized"] = False

    finding = named(damaged(workspace, "json_category", change), "no_chunk_oversized")
    assert finding.passed
    assert (finding.figure, finding.worst) == (0, ())


def test_an_overlap_that_is_not_shared_is_found(workspace: Workspace) -> None:
    seen: list[Row] = []

    def change(rows: list[Row]) -> None:
        row = next(row for row in rows if row["overlap"])
        row["overlap"] += 1
        seen.append(row)

    finding = named(damaged(workspace, OVERLAPPING, change), "spans_exact")
    assert not finding.passed
    (worst,) = finding.worst
    overlap = seen[0]["overlap"]
    assert worst["why"] == f"overlap is {overlap}, the chunks before hold {overlap - 1} characters of it"
    assert (worst["path"], worst["start"]) == (seen[0]["path"], seen[0]["spans"][0]["start"])


def test_a_skip_of_what_a_chunk_holds_is_found(workspace: Workspace) -> None:
    name = "json_category"
    path = "src/i18n/app_en.json"
    chunk = next(
        row for row in workspace.warehouse.read(CHUNKS, own(name)).to_pylist() if row["path"] == path
    )

    def change(rows: list[Row]) -> None:
        start = chunk["spans"][0]["start"]
        rows.append({**rows[0], "path": path, "start": start, "end": start + 5})

    rewrite(workspace.warehouse, SKIPS, change, own(name))
    finding = named(prove_chunks(workspace, SOURCE, strategy(name)), "spans_exact")
    assert not finding.passed
    assert [(each["path"], each["why"]) for each in finding.worst] == [
        (path, "chunks hold 5 characters of the skip")
    ]


def test_texts_over_the_limit_are_named_longest_first_less_those_that_nothing_can_cut(
    workspace: Workspace,
) -> None:
    limit = strategy(OVERLAPPING).limit
    seen: list[Row] = []

    def lengthen(rows: list[Row]) -> None:
        seen.extend(rows[:3])
        for row, length in zip(seen, (1, 3, 2), strict=True):
            row["header"] = "#" * (limit - len(row["body"]) + length - 1)
        rows[2]["metadata"]["indivisible"] = True

    finding = named(damaged(workspace, OVERLAPPING, lengthen), "within_limit")
    assert not finding.passed
    assert finding.figure == 2 / finding.of
    assert [(each["path"], each["start"], each["size"]) for each in finding.worst] == [
        (row["path"], row["spans"][0]["start"], limit + excess)
        for row, excess in ((seen[1], 3), (seen[0], 1))
    ]


def test_chunks_cut_in_another_way_are_counted_by_reason(workspace: Workspace) -> None:
    def change(rows: list[Row]) -> None:
        mine = [row for row in rows if row["path"] == "src/i18n/app_en.json"]
        for row, reason in zip(mine, ("no tree", "too deep", "too deep"), strict=False):
            row["metadata"]["fallback"] = reason

    finding = named(damaged(workspace, "json_category", change), "nothing_fell_back")
    assert not finding.passed
    assert finding.figure == 3 / finding.of
    assert [(each["why"], each["chunks"]) for each in finding.worst] == [("too deep", 2), ("no tree", 1)]


def test_a_body_that_does_not_parse_is_named(workspace: Workspace) -> None:
    seen: list[Row] = []

    def change(rows: list[Row]) -> None:
        row = rows[an_i18n_chunk(rows)]
        row["body"] = row["body"][:-1]
        seen.append(row)

    finding = named(damaged(workspace, "json_category", change), "parse_integrity")
    assert not finding.passed
    assert [(each["path"], each["unit"]) for each in finding.worst] == [(seen[0]["path"], seen[0]["unit"])]


def test_chunks_out_of_order_are_found(workspace: Workspace) -> None:
    def change(rows: list[Row]) -> None:
        mine = [row for row in rows if row["path"] == "src/i18n/app_en.json"]
        for row, place in zip(mine, [0, *range(len(mine) - 1, 0, -1)], strict=True):
            row["ordinal"] = place

    finding = named(damaged(workspace, "json_category", change), "spans_exact")
    assert not finding.passed
    assert {each["path"] for each in finding.worst} == {"src/i18n/app_en.json"}
    assert "begins before the chunk ahead of it" in {each["why"] for each in finding.worst}


def test_the_file_of_the_sample_that_does_not_parse_is_named(untouched: Workspace) -> None:
    finding = named(prove_chunks(untouched, SOURCE, strategy("json_category")), "nothing_quarantined")
    assert (finding.passed, finding.figure) == (False, 1)
    (worst,) = finding.worst
    assert worst["path"] == "src/schemas/berths.get.json"
    assert "line 42, column 7" in str(worst["error"])


def test_no_more_than_the_worst_ten_are_shown(workspace: Workspace) -> None:
    def change(rows: list[Row]) -> None:
        for row in rows:
            row["body"] = '{"nowhere": "in the source"}'

    finding = named(damaged(workspace, "json_category", change), "spans_exact")
    assert not finding.passed
    assert len(finding.worst) == WORST < finding.of


def test_a_body_that_lost_what_its_spans_hold_is_found(workspace: Workspace) -> None:
    def empty(rows: list[Row]) -> None:
        rows[an_i18n_chunk(rows)]["body"] = "{}"

    finding = named(damaged(workspace, "json_category", empty), "spans_exact")
    assert not finding.passed
    assert "lacks" in str(finding.worst[0]["why"])


@EXACT
def test_a_span_behind_the_end_of_the_file_is_found(workspace: Workspace, name: str) -> None:
    def stretch(rows: list[Row]) -> None:
        rows[an_i18n_chunk(rows)]["spans"][-1]["end"] += 1_000_000

    finding = named(damaged(workspace, name, stretch), "spans_exact")
    assert not finding.passed
    assert finding.worst
