"""A source that is away, emptied or rewritten is an error and never a deletion, until a person accepts it."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.corpus.entry import SourceAwayError, SourceRefusedError, SourceUnreachableError
from chunk_pipeline.corpus.origins import is_elsewhere, note_origin, settle_origin
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.corpus.vanishing import HistoryRewrittenError, SourceEmptiedError
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.current import is_up_to_date
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CHUNKS, CONTENTS, FILES, RAW_FILES
from tests.corpus.git_repository import GitRepository
from tests.stages.stages_project import cheap_encoder, ingest

pytestmark = pytest.mark.fault

BEFORE = {"guide/a.json": '{"title": "one"}', "guide/b.json": '{"title": "two"}', "c.json": "[1, 2, 3]"}
OTHER = {"x.json": "[10]", "y.json": "[20]"}


class Ground:
    """A project with one source, ``it``: a folder, or a git repository with a branch ``main``."""

    def __init__(self, root: Path, kind: str) -> None:
        self.root = root
        self.place = root / "place"
        self.kind = kind
        if kind == "git":
            self.git = GitRepository(self.place)
        else:
            self.place.mkdir()
        self.declare()
        self.hold(BEFORE)

    def declare(self, **settings: object) -> None:
        """Write the sources file."""
        place = "path" if self.kind == "folder" else "url"
        declared = {"name": "it", "kind": self.kind, place: "./place", **settings}
        lines = [f"{'- ' if name == 'name' else '  '}{name}: {value}" for name, value in declared.items()]
        text = "\n".join(["strategies: [json_category]", "sources:", *lines, ""])
        (self.root / "sources.yaml").write_text(text)

    def hold(self, files: dict[str, str], *options: str) -> None:
        """Let the source hold exactly these files; a git source by a commit."""
        if self.kind == "git":
            self.git.git("read-tree", "--empty")
            for path, text in files.items():
                self.git.add(path, text)
            self.git.commit(*options)
            return
        for child in self.place.iterdir():
            shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()
        for path, text in files.items():
            (self.place / path).parent.mkdir(parents=True, exist_ok=True)
            (self.place / path).write_text(text)

    @property
    def workspace(self) -> Workspace:
        settings = Settings(
            warehouse=str(self.root / "warehouse"),
            sources=self.root / "sources.yaml",
            cache=self.root / "cache",
        )
        return Workspace(settings, make_encoder=cheap_encoder)

    def run(self, *, accept: bool = False) -> set[str]:
        """The source's whole chain; gives the paths in ``files``."""
        workspace = replace(self.workspace, accept_empty=frozenset({"it"} if accept else ()))
        ingest(workspace, "it")
        assert is_up_to_date(replace(self.workspace, asking=True), "it")
        return self.paths()

    def paths(self) -> set[str]:
        return set(self.workspace.warehouse.read(FILES)["path"].to_pylist())

    def bytes(self) -> dict[str, str]:
        """Digests of all that is stored."""
        root = self.root / "warehouse"
        return {
            str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not path.name.endswith(".lock")
        }


@dataclass(frozen=True)
class Loss:
    """A way to lose a source.

    Attributes:
        kind: Of the source.
        happen: Does it.
        error: What the scan raises.
        match: What its message says.
        left: Paths after a person accepted it; ``None`` where that does not help, since nothing is known.
    """

    kind: str
    happen: Callable[[Ground], object]
    error: type[SourceUnreachableError]
    match: str
    left: set[str] | None


def _move_away(ground: Ground) -> None:
    ground.place.rename(ground.root / "away")


def _only_a_link(ground: Ground) -> None:
    ground.hold({})
    (ground.place / "guide").symlink_to("/etc")


def _delete_branch(ground: Ground) -> None:
    ground.git.git("checkout", "--quiet", "--detach")
    ground.git.git("branch", "-D", "main")
    ground.git.git("symbolic-ref", "HEAD", "refs/heads/main")


def _begin_again(ground: Ground) -> None:
    shutil.rmtree(ground.place)
    ground.git = GitRepository(ground.place)


def _orphan(ground: Ground, files: dict[str, str]) -> None:
    ground.git.git("checkout", "--quiet", "--orphan", "fresh")
    ground.hold(files, "-m", "fresh")  # the same files at the same time would be the same commit
    ground.git.git("branch", "-M", "fresh", "main")


def _amend(ground: Ground) -> None:
    ground.hold({**BEFORE, "c.json": "[4]"}, "--amend")


def _amend_without_cache(ground: Ground) -> None:
    _amend(ground)
    shutil.rmtree(ground.root / "cache")


def _empty_without_scan(ground: Ground) -> None:
    ground.hold({})
    ground.workspace.warehouse.drop(RAW_FILES, Partition(repository="it"))


def _go_back(ground: Ground) -> None:
    ground.git.git("update-ref", "refs/heads/main", "main~1")


LOSSES = {
    "folder unreachable": Loss("folder", _move_away, SourceAwayError, "mount it", None),
    "folder unmounted": Loss("folder", lambda it: it.hold({}), SourceEmptiedError, "holds none now", set()),
    "folder with a link alone": Loss("folder", _only_a_link, SourceEmptiedError, "holds none", {"guide"}),
    "folder of other files": Loss(
        "folder",
        lambda it: it.hold(OTHER),
        SourceEmptiedError,
        "holds none of them now but 2 files",
        {*OTHER},
    ),
    "folder unmounted, scan lost": Loss(
        "folder", _empty_without_scan, SourceEmptiedError, "it held 3 files", set()
    ),
    "repository unreachable": Loss("git", _move_away, SourceAwayError, "source 'it'", None),
    "branch deleted": Loss("git", _delete_branch, SourceRefusedError, "there is no ref 'HEAD'", None),
    "repository begun again": Loss("git", _begin_again, SourceRefusedError, "repository empty", None),
    "repository emptied": Loss("git", lambda it: it.hold({}), SourceEmptiedError, "holds none now", set()),
    "orphan of other files": Loss(
        "git", lambda it: _orphan(it, OTHER), SourceEmptiedError, "holds none of them now", {*OTHER}
    ),
    "orphan of the same files": Loss(
        "git", lambda it: _orphan(it, BEFORE), HistoryRewrittenError, "pushed by force", {*BEFORE}
    ),
    "force-pushed": Loss("git", _amend, HistoryRewrittenError, "pushed by force", {*BEFORE}),
    "force-pushed, cache lost": Loss(
        "git", _amend_without_cache, HistoryRewrittenError, "pushed by force", {*BEFORE}
    ),
    "branch set back": Loss("git", _go_back, HistoryRewrittenError, "rewritten by habit", {*BEFORE}),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_an_error_that_changes_nothing_until_it_is_accepted(name: str, tmp_path: Path) -> None:
    loss = LOSSES[name]
    ground = Ground(tmp_path, loss.kind)
    if loss.happen is _go_back:
        ground.hold(BEFORE | {"d.json": "[4]"})
    ground.run()
    before = ground.bytes()
    loss.happen(ground)
    before = ground.bytes() if loss.happen is _empty_without_scan else before
    for _ in range(2):  # the first attempt must not leave anything that lets the second pass
        with pytest.raises(loss.error, match=loss.match) as caught:
            scan_source(ground.workspace, "it")
        assert type(caught.value) is loss.error
        assert not is_up_to_date(replace(ground.workspace, asking=True), "it")
        assert ground.bytes() == before
    if loss.left is None:
        with pytest.raises(loss.error, match=loss.match):
            ground.run(accept=True)
        assert ground.bytes() == before
        return
    assert "--accept-empty it" in str(caught.value)
    assert ground.run(accept=True) == loss.left
    for table in (CHUNKS, CONTENTS):
        rows = ground.workspace.warehouse.read(table)
        assert bool(rows.num_rows) == any(path.endswith(".json") for path in loss.left)
    assert ground.run() == loss.left, "what was accepted once is the state to compare with"


def test_what_follows_the_ingested_commit_is_ingested_however_much_it_deletes(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.run()
    ground.hold({"c.json": "[2]"})
    assert ground.run() == {"c.json"}
    ground.hold({"moved/away/c.json": "[2]"})
    assert ground.run() == {"moved/away/c.json"}, "a file that was moved has not vanished"


def test_a_folder_whose_files_were_moved_has_not_vanished(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "folder")
    ground.run()
    ground.hold({f"inside/{path}": text for path, text in BEFORE.items()})
    assert ground.run() == {f"inside/{path}" for path in BEFORE}


def test_an_empty_file_in_both_does_not_count_as_content(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "folder")
    ground.hold({"keep.json": "", **BEFORE})
    ground.run()
    ground.hold({"lost+found/none.json": ""})
    with pytest.raises(SourceEmptiedError, match="holds none of them now"):
        ground.run()


def test_a_branch_that_is_rewritten_by_habit_is_followed_and_may_not_be_emptied(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.declare(history="rewritten")
    ground.run()
    ground.hold({"guide/a.json": "[5]"}, "--amend")
    assert ground.run() == {"guide/a.json"}
    _orphan(ground, OTHER)
    with pytest.raises(SourceEmptiedError, match="holds none of them now"):
        ground.run()
    ground.hold({}, "--amend")
    with pytest.raises(SourceEmptiedError, match="holds none now"):
        ground.run()
    assert ground.paths() == {"guide/a.json"}


def test_where_a_shallow_history_cannot_say_only_a_loss_of_files_is_refused(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.declare(depth=1, url=f"file://{ground.place}")
    ground.run()
    ground.hold({"guide/a.json": "[5]"})
    assert ground.run() == {"guide/a.json"}
    ground.hold({"guide/a.json": "[6]", "b.json": "[7]"}, "--amend")
    assert ground.run() == {"guide/a.json", "b.json"}
    ground.hold({})
    with pytest.raises(SourceEmptiedError, match="holds none now"):
        ground.run()


def test_another_ref_in_the_sources_file_was_asked_for(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.run()
    ground.git.git("checkout", "--quiet", "--orphan", "other")
    ground.hold(OTHER)
    ground.git.git("checkout", "--quiet", "--force", "main")
    ground.declare(ref="other")
    assert ground.run() == {*OTHER}
    ground.declare(ref=ground.git.git("rev-parse", "main"))
    assert ground.run() == {*BEFORE}


def test_another_ref_is_not_assumed_where_nobody_noted_the_first(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.run()
    ground.git.git("checkout", "--quiet", "--orphan", "other")
    ground.hold(BEFORE | OTHER)
    ground.declare(ref="other")
    shutil.rmtree(ground.root / "cache")
    with pytest.raises(HistoryRewrittenError, match="'other' was ingested at"):
        ground.run()
    assert ground.run(accept=True) == {*BEFORE, *OTHER}


def test_another_repository_in_the_sources_file_was_asked_for(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.run()
    second = GitRepository(tmp_path / "second")
    second.add("x.json", "[1]")
    second.commit()
    ground.declare(url="./second")
    assert ground.run() == {"x.json"}
    empty = GitRepository(tmp_path / "empty")
    empty.commit()
    ground.declare(url="./empty")
    with pytest.raises(SourceEmptiedError, match="holds none now"):
        ground.run()


@pytest.mark.parametrize("kind", ["git", "folder"])
def test_what_the_settings_leave_out_was_asked_for(kind: str, tmp_path: Path) -> None:
    ground = Ground(tmp_path, kind)
    ground.declare(sub_path="guide")
    assert ground.run() == {"guide/a.json", "guide/b.json"}
    ground.hold({**BEFORE, "manual/d.json": "[4]"})
    ground.declare(sub_path="manual")
    assert ground.run() == {"manual/d.json"}
    ground.hold({"manual/e.json": "[5]"})
    with pytest.raises(SourceEmptiedError, match=r"it held 1 file \('manual/d.json'\)"):
        ground.run()


def test_the_same_commit_under_another_ref_is_noted_before_that_ref_is_rewritten(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "git")
    ground.run()
    ground.git.git("branch", "stable")
    ground.declare(ref="stable")
    assert not is_up_to_date(replace(ground.workspace, asking=True), "it")
    before = ground.bytes()
    ground.run()
    assert ground.bytes() == before, "no table depends on the note"
    _amend(ground)
    ground.git.git("branch", "--force", "stable", "main")
    with pytest.raises(HistoryRewrittenError, match="'stable' was ingested at"):
        ground.run()


def test_a_run_that_is_killed_before_it_commits_leaves_both_notes(tmp_path: Path) -> None:
    def source(ref: str, password: str = "") -> Source:
        return Source(name="it", kind="git", url=f"https://{password}example.org/a.git", ref=ref)

    first, second = "1" * 40, "2" * 40
    assert not is_elsewhere(source("main"), tmp_path, first), "what is not known is not assumed"
    settle_origin(source("main"), tmp_path, first)
    note_origin(source("topic"), tmp_path, second)
    assert is_elsewhere(source("topic"), tmp_path, first)
    assert not is_elsewhere(source("main"), tmp_path, first)
    assert not is_elsewhere(source("topic"), tmp_path, second)
    assert not is_elsewhere(source("main", "user:token@"), tmp_path, first), "a password is no other address"
    assert not any("example" in path.read_text() for path in tmp_path.iterdir())
    (tmp_path / "it.origin.json").write_bytes(b"{")
    assert not is_elsewhere(source("topic"), tmp_path, first)


def test_names_and_paths_in_the_message_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    ground = Ground(tmp_path, "folder")
    ground.declare(name="'it is ours'")
    ground.hold({"\x1b[31mred\n.json": "[1]"})
    workspace = ground.workspace
    scan_source(workspace, "it is ours")
    ground.hold({})
    with pytest.raises(SourceEmptiedError) as caught:
        scan_source(workspace, "it is ours")
    assert str(caught.value).isprintable()
    assert "--accept-empty 'it is ours'" in str(caught.value)


def test_a_folder_that_may_not_be_listed_any_more_is_not_taken_as_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused by the operating system, which asks no permission of root: so the refusal is made here."""
    ground = Ground(tmp_path, "folder")
    ground.run()
    before = ground.bytes()
    genuine = os.open

    def refusing(path: Any, *arguments: Any, **options: Any) -> int:
        if path == b"guide":
            raise PermissionError(13, "Permission denied")
        return genuine(path, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refusing)
        with pytest.raises(SourceEmptiedError, match=r"it held 2 files .* 'guide/' may not be listed now"):
            scan_source(ground.workspace, "it")
        assert ground.bytes() == before
        assert ground.run(accept=True) == {"c.json", "guide/"}
    assert ground.run() == {*BEFORE}


@pytest.mark.parametrize("leave", [True, False], ids=["an empty folder", "nothing"])
def test_a_folder_unmounted_between_scan_and_read_quarantines_nothing(leave: bool, tmp_path: Path) -> None:
    ground = Ground(tmp_path, "folder")
    ground.run()
    ground.hold({path: text + "\n" for path, text in BEFORE.items()})
    scan_source(ground.workspace, "it")
    before = ground.bytes()
    _move_away(ground)
    if leave:
        ground.place.mkdir()
    with pytest.raises(SourceUnreachableError, match="gone or empty since the scan"):
        filter_source(ground.workspace, "it")
    assert ground.bytes() == before
    shutil.rmtree(ground.place, ignore_errors=True)
    (tmp_path / "away").rename(ground.place)
    filter_source(ground.workspace, "it")
    assert label_source(ground.workspace, "it").stored.rows == 3
