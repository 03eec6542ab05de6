"""Each check on heritage chunks passes on the sample, and fails on the damage that it is there for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stages_project import Row, ingest, named, rewrite

from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.stages.chunk_metadata import describe
from chunk_pipeline.stages.chunk_proofs import prove_chunks
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.finding import Finding
from chunk_pipeline.stages.heritage_proofs import prove_heritage
from chunk_pipeline.stages.metadata_proofs import prove_chunk_metadata
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNK_METADATA_TABLE, CHUNKS
from tests.end_to_end.project import HERITAGE_STRATEGIES, Project

SOURCE = "heritage"
EVERY = pytest.mark.parametrize("name", HERITAGE_STRATEGIES)
WARNED = "nothing_read_with_a_warning"
CHECKS = ["source_coverage", "no_chunk_empty", "records_accounted", "xpaths_verify", "text_is_sound", WARNED]


def own(name: str) -> Partition:
    return Partition(strategy=name, repository=SOURCE)


def damaged(workspace: Workspace, name: str, change: Callable[[list[Row]], object]) -> list[Finding]:
    """The findings after the stored chunks were changed."""
    rewrite(workspace.warehouse, CHUNKS, change, own(name))
    return [
        *prove_chunks(workspace, SOURCE, strategy(name)),
        *prove_heritage(workspace, SOURCE, strategy(name)),
    ]


def longest(rows: list[Row]) -> Row:
    """The chunk with the longest body."""
    return max(rows, key=lambda row: (len(row["body"]), row["chunk_id"]))


@EVERY
def test_the_chunks_of_the_sample_pass(whole_heritage: Project, name: str) -> None:
    workspace = Workspace(whole_heritage.settings)
    findings = prove_heritage(workspace, SOURCE, strategy(name))
    assert [each.name for each in findings] == CHECKS
    for finding in [*prove_chunks(workspace, SOURCE, strategy(name)), *findings]:
        assert finding.passed or finding.name == WARNED, finding
        assert finding.passed == (finding.worst == ())
    assert named(findings, "source_coverage").of > 0
    assert named(findings, "source_coverage").figure == 1.0


def test_what_was_odd_in_a_record_is_listed(whole_heritage: Project) -> None:
    workspace = Workspace(whole_heritage.settings)
    found = {
        name: named(prove_heritage(workspace, SOURCE, strategy(name)), WARNED) for name in HERITAGE_STRATEGIES
    }
    assert found["document"].passed
    assert found["website"].passed
    assert not found["yaml_instance"].passed
    assert any("zolder.yml" in str(row["path"]) for row in found["yaml_instance"].worst)
    assert any("aanvulling.csv" in str(row["path"]) for row in found["csv_registry"].worst)


def test_nothing_asks_for_a_network(whole_heritage: Project, connections: list[object]) -> None:
    assert Workspace(whole_heritage.settings).warehouse.read(CHUNKS).num_rows > 100
    assert connections == []


def test_there_is_something_to_count(whole_heritage: Project) -> None:
    workspace = Workspace(whole_heritage.settings)
    counted = {
        name: {each.name: each.of for each in prove_heritage(workspace, SOURCE, strategy(name))}
        for name in HERITAGE_STRATEGIES
    }
    assert counted["csv_registry"]["records_accounted"] > 50
    assert counted["conversation"]["records_accounted"] > 80
    assert counted["website"]["xpaths_verify"] > 20
    assert all(each["no_chunk_empty"] > 0 for each in counted.values())


@EVERY
def test_words_that_a_chunk_lost_are_named(heritage_workspace: Workspace, name: str) -> None:
    lost: list[str] = []

    def shorten(rows: list[Row]) -> None:
        row = longest(rows)
        half = len(row["body"]) // 2
        lost.append(row["path"])
        row["body"] = row["body"][:half]

    finding = named(damaged(heritage_workspace, name, shorten), "source_coverage")
    assert not finding.passed
    assert finding.figure < 0.995
    assert finding.worst[0]["path"] == lost[0]
    assert finding.worst[0]["missing"]


@EVERY
def test_an_empty_chunk_is_named(heritage_workspace: Workspace, name: str) -> None:
    findings = damaged(heritage_workspace, name, lambda rows: rows[1].update(body=" \n"))
    finding = named(findings, "no_chunk_empty")
    assert (finding.passed, finding.figure) == (False, 1)


@pytest.mark.parametrize("name", ["conversation", "csv_registry"])
def test_a_record_that_is_nowhere_is_counted(heritage_workspace: Workspace, name: str) -> None:
    finding = named(damaged(heritage_workspace, name, lambda rows: rows.pop(3)), "records_accounted")
    assert (finding.passed, finding.figure) == (False, 1)
    assert finding.worst[0]["what"] in ("messages", "rows")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"xpath": "/html[1]/body[1]/section[77]"}, "it selects 0 elements, not one"),
        ({"xpath": "//p"}, "elements, not one"),
        ({"xpath": "/html[1]/head[1]/title[1]"}, "its element lacks"),
        ({"xpath": "]["}, "it is no XPath"),
        ({"xpath_verified": False}, "it was not verified when the page was cut"),
    ],
)
def test_an_xpath_that_does_not_lead_to_its_section_is_named(
    heritage_workspace: Workspace, change: dict[str, object], why: str
) -> None:
    findings = damaged(heritage_workspace, "website", lambda rows: longest(rows)["facts"].update(change))
    finding = named(findings, "xpaths_verify")
    assert not finding.passed
    assert why in str(finding.worst[0]["why"])


def test_a_text_that_burst_into_characters_is_named(
    heritage_workspace: Workspace, heritage_project: Project
) -> None:
    text = "The museum was founded as an educational museum in the town in 1904. " * 20
    burst = heritage_project.file(SOURCE, "documents/burst.md")
    burst.write_text("\n".join(text), encoding="utf-8")
    twice = heritage_project.file(SOURCE, "documents/twice.md")
    twice.write_text("# Café\n\nEen café aan de kade.\n".encode().decode("cp1252"), encoding="utf-8")
    _cut(heritage_workspace, "document")
    finding = named(prove_heritage(heritage_workspace, SOURCE, strategy("document")), "text_is_sound")
    assert (finding.passed, finding.figure) == (False, 2)
    reasons = {str(row["path"]): str(row["why"]) for row in finding.worst}
    assert "lines are one character" in reasons["documents/burst.md"]
    assert "decoded twice" in reasons["documents/twice.md"]


def test_the_real_text_that_burst_is_caught(
    heritage_workspace: Workspace, heritage_project: Project, corpora: Path
) -> None:
    accident = corpora / "corpora/heritage/research_aids/EXPLODED_one_char_per_line_Museon_nl.md"
    heritage_project.file(SOURCE, "documents/museon.md").write_bytes(accident.read_bytes())
    _cut(heritage_workspace, "document")
    finding = named(prove_heritage(heritage_workspace, SOURCE, strategy("document")), "text_is_sound")
    assert [row["path"] for row in finding.worst] == ["documents/museon.md"]


@EVERY
def test_a_chunk_over_what_the_model_reads_is_named(heritage_workspace: Workspace, name: str) -> None:
    findings = damaged(
        heritage_workspace, name, lambda rows: rows[0].update(body=rows[0]["body"] + " word" * 1500)
    )
    finding = named(findings, "within_limit")
    assert not finding.passed
    assert int(str(finding.worst[0]["size"])) > 1500


@EVERY
def test_a_span_that_is_elsewhere_is_named(heritage_workspace: Workspace, name: str) -> None:
    def shift(rows: list[Row]) -> None:
        span = longest(rows)["spans"][0]
        span["start"] += (span["end"] - span["start"]) // 2

    assert not named(damaged(heritage_workspace, name, shift), "spans_exact").passed


@EVERY
def test_metadata_that_are_not_valid_are_named(heritage_workspace: Workspace, name: str) -> None:
    assert prove_chunk_metadata(heritage_workspace, strategy(name)).passed
    change: Callable[[list[Row]], object] = lambda rows: rows[0].update(data_tier="TIER_9")  # noqa: E731
    rewrite(heritage_workspace.warehouse, CHUNK_METADATA_TABLE, change, Partition(strategy=name))
    finding = prove_chunk_metadata(heritage_workspace, strategy(name))
    assert (finding.passed, finding.figure) == (False, 1)


def test_metadata_follow_the_chunks(heritage_workspace: Workspace, heritage_project: Project) -> None:
    heritage_project.file(SOURCE, "registries/zusters.tsv").unlink()
    ingest(heritage_workspace, SOURCE)
    assert not prove_chunk_metadata(heritage_workspace, strategy("csv_registry")).passed
    describe(heritage_workspace, strategy("csv_registry"))
    assert prove_chunk_metadata(heritage_workspace, strategy("csv_registry")).passed


def _cut(workspace: Workspace, name: str) -> None:
    """Bring one strategy's chunks into step with the files."""
    scan_source(workspace, SOURCE)
    filter_source(workspace, SOURCE)
    label_source(workspace, SOURCE)
    chunk_files(workspace, SOURCE, strategy(name))
