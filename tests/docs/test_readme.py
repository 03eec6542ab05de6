"""What README and the pages of docs/ say is so: queries, commands, links, settings, exit codes."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import duckdb
import pytest
import typer

from chunk_pipeline.cli import app
from chunk_pipeline.settings import Settings
from chunk_pipeline.warehouse.catalog import NAME
from tests.end_to_end.project import Project

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
QUERIES = re.findall(r"```sql\n(.*?)```", README, flags=re.DOTALL)
QUERY = pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.split("FROM ")[1].split()[0])
MADE = ("data/warehouse", "data/reference", "data/cache", "data/sources.yaml:")
"""Paths that runs make, and places in files; they need not be there."""


def commands_on(page: Path) -> list[list[str]]:
    """Every command line of ours on a page, in blocks and inside sentences, as words."""
    text = page.read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL))
    lines = re.findall(r"^chunk-pipeline .*$", blocks, flags=re.MULTILINE)
    lines += re.findall(r"`(chunk-pipeline [a-z][^`]*)`", text)
    return [shlex.split(line, comments=True)[1:] for line in lines]


def links_on(page: Path) -> set[str]:
    """Targets of the links of a page that are files, without anchors."""
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    return {target.partition("#")[0] for target in targets if not target.startswith(("http", "#"))}


def paths_on(page: Path) -> set[str]:
    """Paths of this project that a page names in backquotes."""
    spans = re.findall(r"`([\w./-]+)`", page.read_text(encoding="utf-8"))
    folders = ("benchmarks/", "chunk_pipeline/", "data/", "docs/", "tests/", "dagster_home/")
    return {span for span in spans if span.startswith(folders) and not span.startswith(MADE)}


@pytest.fixture(scope="module")
def catalog(built_project: Project) -> Path:
    return built_project.root / "warehouse" / NAME


@pytest.fixture(scope="module")
def shell() -> Path:
    """The command-line shell of DuckDB that the extra ``shell`` installs."""
    found = shutil.which("duckdb", path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip("pip install duckdb-cli (the extra 'shell') to open the catalog with the shell")
    return Path(found)


def test_there_are_five_questions_with_queries() -> None:
    assert len(QUERIES) == 5


@QUERY
def test_a_query_runs_in_plain_duckdb(catalog: Path, query: str) -> None:
    with duckdb.connect(str(catalog), read_only=True) as connection:
        for statement in connection.extract_statements(query):
            result = connection.execute(statement)
            rows = result.fetchall()
            # The sample project has no file in quarantine, and its best chunk may be right for every query.
            assert rows or "quarantine" in query or "NOT list_contains" in query


@QUERY
def test_a_query_runs_in_the_shell(catalog: Path, shell: Path, query: str) -> None:
    result = subprocess.run(
        [shell, "-readonly", catalog, "-bail", "-c", query],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""


def test_the_shell_and_plain_duckdb_count_the_same_rows(catalog: Path, shell: Path) -> None:
    query = "SELECT strategy, count(*) FROM chunks GROUP BY ALL ORDER BY ALL"
    printed = subprocess.run(
        [shell, "-readonly", catalog, "-csv", "-noheader", "-c", query],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with duckdb.connect(str(catalog), read_only=True) as connection:
        rows = connection.execute(query).fetchall()
    assert len(rows) == 4
    assert printed.splitlines() == [f"{strategy},{count}" for strategy, count in rows]


@PAGE
def test_every_command_line_is_one_that_is_taken(page: Path) -> None:
    for words in commands_on(page):
        command: click.Command = typer.main.get_command(app)
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            assert words[0] in command.commands, f"{page.name}: there is no command {' '.join(words)!r}"
            command, words = command.commands[words[0]], words[1:]
        if words:
            command.make_context("chunk-pipeline", words)
        command.make_context("chunk-pipeline", [], resilient_parsing=True).get_help()


def test_readme_shows_the_commands() -> None:
    shown = {words[0] for words in commands_on(ROOT / "README.md")}
    assert shown >= {"sources", "run", "search", "report", "export", "doctor"}


@PAGE
def test_every_link_leads_somewhere(page: Path) -> None:
    assert {target for target in links_on(page) if not (page.parent / target).exists()} == set()


@PAGE
def test_every_path_named_is_there(page: Path) -> None:
    assert {path for path in paths_on(page) if not (ROOT / path).exists()} == set()


@PAGE
def test_every_target_of_make_exists(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):", makefile, flags=re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"`make (\w+)", text)) | set(re.findall(r"^(?:\S+=\S+ )?make (\w+)", text, re.M))
    assert named <= targets


def test_the_settings_are_those_that_are_read() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| `?([^|`]+?)`? \|", README, flags=re.MULTILINE)
    prefix = Settings.model_config["env_prefix"]
    fields = Settings.model_fields.items()
    assert rows == [
        (f"{prefix}{name}".upper(), "none" if field.default is None else str(field.default))
        for name, field in fields
    ]


def test_the_exit_codes_are_those_of_the_help() -> None:
    said = re.findall(r"(\d+) ([^;.]+)[;.]", README.split("Exit codes:")[1].split("\n\n")[0])
    told = re.findall(r"(\d+) ([^;.]+)[;.]", str(app.info.help).split("Exit codes:")[1])
    assert [code for code, _ in said] == [code for code, _ in told] == ["0", "1", "2", "130"]
