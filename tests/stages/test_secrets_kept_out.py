"""Planted secrets of every kind are in nothing that a run leaves, whatever the format of their files."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
import yaml
from stages_project import cheap_encoder, ingest, named

from chunk_pipeline.corpus.secrets.kinds import CONTEXT_KINDS, TOKEN_KINDS
from chunk_pipeline.defs.launch import open_instance, run_sources
from chunk_pipeline.stages.corpus import filter_source, scan_source
from chunk_pipeline.stages.table_proofs import prove_files
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILTERED_FILES, QUARANTINE, SECRETS, TABLES
from tests.end_to_end.project import Project
from tests.stages.planted_project import SHOWN, SOURCE, VALUES, choose, everything_below, leaked, plant

KINDS = {*TOKEN_KINDS, *CONTEXT_KINDS}
BY_NAME = {(".env", "environment_file"), ("deploy/id_rsa", "private_key_file")}


def workspace_of(project: Project) -> Workspace:
    return Workspace(project.settings, make_encoder=cheap_encoder)


def fates(project: Project) -> dict[str, tuple[str, str | None]]:
    rows = project.read(FILTERED_FILES).to_pylist()
    return {row["path"]: (row["fate"], row["reason"]) for row in rows}


def texts(project: Project) -> dict[str, str]:
    stored = {row["content_sha256"]: row["text"] for row in project.read(CONTENTS).to_pylist()}
    rows = project.read(FILTERED_FILES).to_pylist()
    return {row["path"]: stored[row["content_sha256"]] for row in rows if row["fate"] == "kept"}


@pytest.fixture(scope="module")
def redacted(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = plant(tmp_path_factory.mktemp("redacted") / "project", "redact")
    ingest(workspace_of(project), SOURCE)
    return project


@pytest.mark.slow
def test_a_whole_run_leaves_no_planted_value_anywhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    # Each strategy takes its time, and all get their texts from one table.
    project = plant(tmp_path / "project", "redact", ["json_category"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", str(project.root / "dagster_home"))
        with open_instance(project.settings) as instance:
            results = run_sources(workspace_of(project), instance, [SOURCE])
    assert all(result.succeeded for result in results), results
    below = {
        name: dict(everything_below(project.root / name)) for name in ("warehouse", "dagster_home", "cache")
    }
    for texts_below in below.values():
        assert leaked(texts_below.items()) == []
    said = capfd.readouterr()
    assert leaked([("log", caplog.text), ("printed", said.out), ("errors", said.err)]) == []
    # What was searched is what there is: tables, catalog, report and the run's events.
    assert any(SHOWN in text for text in below["warehouse"].values())
    assert {".parquet", ".duckdb", ".html"} <= {
        Path(name.split(" ")[0]).suffix for name in below["warehouse"]
    }
    assert any("no_secrets_found" in text for text in below["dagster_home"].values())


def test_no_planted_value_is_in_any_file_of_the_warehouse(redacted: Project) -> None:
    found = dict(everything_below(redacted.root / "warehouse"))
    assert leaked(found.items()) == []
    assert any(SHOWN in text for text in found.values())


def test_what_stands_around_a_secret_is_kept_in_its_format(redacted: Project) -> None:
    kept = texts(redacted)
    assert json.loads(kept["config/settings.json"])["password"] == "(REDACTED:password)"
    assert json.loads(kept["config/settings.json"])["key"] == "(REDACTED:private_key)"
    assert json.loads(kept["config/lines.json"])["about"] == SHOWN
    assert yaml.safe_load(kept["data/site.yaml"])["password"] == "(REDACTED:password)"
    for path in ("docs/guide.md", "src/app.js", "data/registry.csv", "web/page.html"):
        assert "(REDACTED:github_token)" in kept[path], path
    assert "(REDACTED:github_token)" in kept["letter.docx"]
    assert SHOWN in kept["letter.docx"]
    chunked = set(redacted.read(CHUNKS)["path"].to_pylist())
    assert chunked >= set(kept) - {"broken.json"}


def test_the_audit_says_where_and_what_was_done(redacted: Project) -> None:
    rows = redacted.read(SECRETS).to_pylist()
    by_path = {(row["path"], row["kind"]): row for row in rows}
    assert {row["kind"] for row in rows if row["path"] == "docs/guide.md"} == KINDS
    assert {row["action"] for row in rows if row["path"] == "docs/guide.md"} == {"redacted"}
    assert by_path["src/app.js", "password"]["line"] == 22
    assert {each for each in by_path if by_path[each]["line"] == 0} == BY_NAME
    assert by_path["deploy/server.pem", "private_key"]["action"] == "dropped"
    assert fates(redacted)["deploy/server.pem"] == ("dropped", "secret: private_key_file")
    assert fates(redacted)[".env"] == ("dropped", "secret: environment_file")
    assert not [row for row in rows if row["path"] == "clean.json"]


def test_what_could_not_be_read_shows_no_bytes_of_a_secret(redacted: Project) -> None:
    rows = {row["path"]: row for row in redacted.read(QUARANTINE).to_pylist()}
    for path in ("undecodable.json", "unmarked.json"):
        assert rows[path]["first_bytes"] == "(REDACTED:password)"
        assert rows[path]["content_sha256"] is None
    assert rows["broken.json"]["stage"] == "chunks_json_category"


def test_the_check_counts_them_and_names_no_value(redacted: Project) -> None:
    finding = named(prove_files(workspace_of(redacted), SOURCE), "no_secrets_found")
    assert not finding.passed
    assert finding.figure == sum(redacted.read(SECRETS)["found"].to_pylist())
    assert leaked([("finding", str(finding))]) == []


def test_skipping_leaves_out_every_file_that_holds_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    project = plant(tmp_path / "project", "skip")
    ingest(workspace_of(project), SOURCE)
    assert {path for path, (fate, _) in fates(project).items() if fate == "kept"} == {"clean.json"}
    assert fates(project)["config/settings.json"][1] == "secret: anthropic_key"
    assert {row["action"] for row in project.read(SECRETS).to_pylist()} == {"dropped"}
    assert leaked(everything_below(project.root / "warehouse")) == []
    assert leaked([("log", caplog.text)]) == []


def test_a_changed_policy_takes_effect_in_the_next_run(tmp_path: Path) -> None:
    project = plant(tmp_path / "project", "flag")
    workspace = workspace_of(project)
    ingest(workspace, SOURCE)
    current = [(table.name, str(project.read(table).to_pylist())) for table in TABLES]
    found = {place.split(": ")[1] for place in leaked(current) if place.startswith("contents")}
    assert found >= set(VALUES) - {"password of the environment"}
    assert {row["action"] for row in project.read(SECRETS).to_pylist()} == {"flagged"}
    assert {row["path"] for row in project.read(SECRETS).to_pylist()} >= {"docs/guide.md", "broken.json"}

    choose(project, "redact")
    ingest(workspace, SOURCE)
    current = [(table.name, str(project.read(table).to_pylist())) for table in TABLES]
    assert leaked(current) == []


def test_an_allowed_kind_is_stored_and_not_audited(tmp_path: Path) -> None:
    project = plant(tmp_path / "project", "redact")
    choose(project, "redact", [{"path": "docs/*", "kind": "json_web_token"}])
    workspace = workspace_of(project)
    scan_source(workspace, SOURCE)
    filter_source(workspace, SOURCE)
    assert VALUES["json_web_token"] in texts(project)["docs/guide.md"]
    assert VALUES["json_web_token"] not in texts(project)["src/app.js"]
    rows = project.read(SECRETS).to_pylist()
    assert ("docs/guide.md", "json_web_token") not in {(row["path"], row["kind"]) for row in rows}


def test_unchanged_files_keep_their_audit_without_being_read(tmp_path: Path) -> None:
    project = plant(tmp_path / "project", "redact")
    workspace = workspace_of(project)
    scan_source(workspace, SOURCE)
    filter_source(workspace, SOURCE)
    before = project.read(SECRETS), texts(project)
    project.file(SOURCE, "clean.json").write_text("{}")
    scan_source(workspace, SOURCE)
    assert filter_source(workspace, SOURCE).counts["files_read"] == 1
    assert project.read(SECRETS).equals(before[0])
    assert texts(project) == before[1] | {"clean.json": "{}"}
