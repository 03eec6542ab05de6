"""The numbers of a plan are those of the run that follows it, whatever was edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from stages_project import ingest, roll_up

from chunk_pipeline.stages.plan import plan
from chunk_pipeline.stages.planned import Plan
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.tables import CHUNKS
from tests.end_to_end.project import Project

NAMES = ["atlas-docs", "harbour"]
TRANSLATIONS = "src/i18n/app_en.json"


def edit(project: Project) -> None:
    path = project.file("harbour", TRANSLATIONS)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('": "', '": "Today: ', 1), encoding="utf-8")


def delete(project: Project) -> None:
    project.file("harbour", TRANSLATIONS).unlink()


def rename(project: Project) -> None:
    path = project.file("harbour", TRANSLATIONS)
    path.rename(path.with_name("ferry_en.json"))


def add_twice(project: Project) -> None:
    text = '{"ferry": "The ferry that no timetable knows", "pier": "The pier behind the last pier"}'
    for name in NAMES:
        path = project.file(name, "src/i18n/ferry_en.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def exclude(project: Project) -> None:
    project.file("harbour", "src/i18n/large_en.json").write_text('"' + "x" * 300_000 + '"', encoding="utf-8")
    project.file("harbour", "src/i18n/broken_en.json").write_text("{", encoding="utf-8")


def drop_strategy(project: Project) -> None:
    text = project.sources.read_text(encoding="utf-8")
    project.sources.write_text(text.replace("json_category, ", "", 1), encoding="utf-8")


def tag(project: Project) -> None:
    text = project.sources.read_text(encoding="utf-8")
    project.sources.write_text(text.replace("name: harbour", "name: harbour\n    metadata: {team: quay}"))


def done(workspace: Workspace) -> tuple[Counter[str], int]:
    """What a run does: counts, and how many chunks there are more."""
    before = _chunks(workspace)
    outcomes = [each for name in NAMES for each in ingest(workspace, name)]
    outcomes += roll_up(workspace)
    counts = Counter[str]()
    for outcome in outcomes:
        counts.update(outcome.counts)
    return counts, len(_chunks(workspace)) - len(before)


def _chunks(workspace: Workspace) -> set[str]:
    return set(workspace.warehouse.read(CHUNKS, columns=["chunk_id"])["chunk_id"].to_pylist())


def _numbers(planned: Plan) -> tuple[int, int, int, int]:
    read = sum(source.files.read for source in planned.sources)
    return planned.files_chunked, planned.texts_encoded, planned.tokens_encoded, read


@pytest.mark.parametrize("change", [edit, delete, rename, add_twice, exclude, tag])
def test_a_plan_tells_what_the_next_run_does(
    workspace: Workspace, project: Project, change: Callable[[Project], None]
) -> None:
    before = project.digests()
    change(project)
    planned = plan(workspace, NAMES)
    assert project.digests() == before
    counts, grown = done(workspace)
    wanted = ("files_chunked", "texts_encoded", "tokens_encoded", "files_read")
    assert _numbers(planned) == tuple(counts[name] for name in wanted)
    strategies = [each for source in planned.sources for each in source.strategies]
    assert sum(each.chunks_added - each.chunks_removed for each in strategies) == grown
    assert not planned.is_empty
    assert plan(workspace, NAMES).seconds == 0


def test_a_plan_of_nothing_is_empty(workspace: Workspace) -> None:
    planned = plan(workspace, NAMES)
    assert planned.is_empty
    assert _numbers(planned) == (0, 0, 0, 0)


def test_a_plan_names_files_and_the_rules_that_leave_files_out(
    workspace: Workspace, project: Project
) -> None:
    before = Counter(dict(plan(workspace, NAMES).sources[1].files.excluded))
    exclude(project)
    edit(project)
    files = plan(workspace, NAMES).sources[1].files
    assert files.changed == (TRANSLATIONS,)
    assert files.added == ("src/i18n/broken_en.json", "src/i18n/large_en.json")
    assert files.removed == ()
    assert Counter(dict(files.excluded)) - before == {"file_too_large": 1}


def test_a_strategy_that_is_asked_for_no_more_is_planned_to_be_dropped(
    workspace: Workspace, project: Project
) -> None:
    drop_strategy(project)
    planned = plan(workspace, NAMES)
    assert planned.dropped > 0
    assert planned.rolled_up


def test_a_plan_tells_the_time_of_work_that_was_measured(workspace: Workspace, project: Project) -> None:
    edit(project)
    assert plan(workspace, NAMES).seconds is None  # no whole roll-up was measured yet
    from chunk_pipeline.stages.estimate import ROLL_UP
    from chunk_pipeline.stages.rates import note_rate

    note_rate(workspace.cache, ROLL_UP, 1, 20.0)
    seconds = plan(workspace, NAMES).seconds
    assert seconds is not None
    assert 20 < seconds < 200


def test_a_source_that_cannot_be_read_is_planned_to_fail_and_the_others_are_planned(
    workspace: Workspace, project: Project
) -> None:
    project.file("harbour", "").rename(project.root / "moved")
    atlas, harbour = plan(workspace, NAMES).sources
    assert "cannot be read" in harbour.error
    assert not atlas.error
    assert not harbour.strategies
