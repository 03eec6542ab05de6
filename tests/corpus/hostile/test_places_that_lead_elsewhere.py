"""A local repository that reads from another one, or that another user owns, is a clear error."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chunk_pipeline.corpus.entry import SourceRefusedError, SourceUnreachableError
from tests.corpus.git_repository import GitRepository
from tests.corpus.hostile.arena import Arena

pytestmark = pytest.mark.hostile_repository

SECRET = "what only the victim's repository holds"


@pytest.fixture
def victim(arena: Arena) -> GitRepository:
    """A private repository beside the hostile one."""
    victim = GitRepository(arena.root / "victim")
    victim.add("private.json", f'["{SECRET}"]')
    victim.commit()
    return victim


def _git(arena: Arena) -> Path:
    return arena.repository.folder / ".git"


def _names_commit(arena: Arena, victim: GitRepository) -> None:
    """Let the hostile branch name the victim's commit."""
    (_git(arena) / "refs" / "heads" / "main").write_text(victim.git("rev-parse", "main") + "\n")


def _alternates(arena: Arena, victim: GitRepository) -> None:
    """CVE-2022-39253 and CVE-2024-32020: objects of another repository, taken over with its clone."""
    (_git(arena) / "objects" / "info").mkdir(exist_ok=True)
    (_git(arena) / "objects" / "info" / "alternates").write_text(f"# ours\n{victim.folder}/.git/objects\n")
    _names_commit(arena, victim)


def _relative_alternates(arena: Arena, victim: GitRepository) -> None:
    _alternates(arena, victim)
    (_git(arena) / "objects" / "info" / "alternates").write_text("../../../victim/.git/objects\n")


def _linked_objects(arena: Arena, victim: GitRepository) -> None:
    """CVE-2024-32021: a symbolic link among the objects."""
    shutil.rmtree(_git(arena) / "objects")
    (_git(arena) / "objects").symlink_to(victim.folder / ".git" / "objects")
    _names_commit(arena, victim)


def _linked_fan_out(arena: Arena, victim: GitRepository) -> None:
    """CVE-2022-39253: links to folders of objects, each of which a local clone would copy."""
    for folder in (victim.folder / ".git" / "objects").iterdir():
        target = _git(arena) / "objects" / folder.name
        shutil.rmtree(target, ignore_errors=True)
        target.symlink_to(folder)
    _names_commit(arena, victim)


def _linked_packs(arena: Arena, victim: GitRepository) -> None:
    victim.git("repack", "-a", "-d", "-q")
    shutil.rmtree(_git(arena) / "objects" / "pack")
    (_git(arena) / "objects" / "pack").symlink_to(victim.folder / ".git" / "objects" / "pack")
    _names_commit(arena, victim)


def _linked_pack_files(arena: Arena, victim: GitRepository) -> None:
    victim.git("repack", "-a", "-d", "-q")
    (_git(arena) / "objects" / "pack").mkdir(exist_ok=True)
    for file in (victim.folder / ".git" / "objects" / "pack").iterdir():
        (_git(arena) / "objects" / "pack" / file.name).symlink_to(file)
    _names_commit(arena, victim)


def _git_file(arena: Arena, victim: GitRepository) -> None:
    shutil.rmtree(_git(arena))
    _git(arena).write_text(f"gitdir: {victim.folder}/.git\n")


def _git_link(arena: Arena, victim: GitRepository) -> None:
    shutil.rmtree(_git(arena))
    _git(arena).symlink_to(victim.folder / ".git")


def _common_folder(arena: Arena, victim: GitRepository) -> None:
    (_git(arena) / "commondir").write_text(f"{victim.folder}/.git\n")


def _common_folder_by_a_link(arena: Arena, victim: GitRepository) -> None:
    (_git(arena) / "inner").symlink_to(victim.folder / ".git")
    (_git(arena) / "commondir").write_text("inner\n")


ELSEWHERE: dict[str, tuple[Callable[[Arena, GitRepository], None], str]] = {
    "alternates": (_alternates, "borrows from"),
    "relative alternates": (_relative_alternates, "borrows from"),
    "objects are a link": (_linked_objects, "is a symbolic link"),
    "folders of objects are links": (_linked_fan_out, "is a symbolic link"),
    "packs are a link": (_linked_packs, "is a symbolic link"),
    "pack files are links": (_linked_pack_files, "is a symbolic link"),
    "a .git file": (_git_file, "as its repository"),
    "a .git link": (_git_link, "is a symbolic link to"),
    "commondir": (_common_folder, "shares"),
    "commondir by a link": (_common_folder_by_a_link, "shares"),
}


ADDRESSED = [(each, "path") for each in ELSEWHERE] + [("alternates", "file"), ("a .git file", "escaped")]


@pytest.mark.parametrize(("name", "address"), ADDRESSED, ids=[" by ".join(each) for each in ADDRESSED])
def test_what_another_repository_holds_is_not_read(
    name: str, address: str, arena: Arena, victim: GitRepository
) -> None:
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    lead, said = ELSEWHERE[name]
    lead(arena, victim)
    plain = GitRepository(arena.root / "plain")
    plain.git("fetch", "--quiet", str(arena.repository.folder), "HEAD:refs/heads/x")
    assert SECRET in plain.git("show", "x:private.json"), "the trap must work for the test to mean anything"
    url = {
        "path": str(arena.repository.folder),
        "file": f"file://{arena.repository.folder}",
        "escaped": f"file://{arena.root}/%6frigin",
    }[address]
    with pytest.raises(SourceRefusedError, match=said) as caught:
        arena.fates(url=url)
    assert "source 'hostile'" in str(caught.value)
    assert not caught.value.retryable
    assert not arena.holds(SECRET)


def test_a_worktree_that_its_repository_knows_is_read(arena: Arena, victim: GitRepository) -> None:
    victim.git("worktree", "add", "--quiet", "--detach", str(arena.root / "tree"))
    assert arena.fates(url=str(arena.root / "tree")) == {"private.json": ("kept", None)}


@pytest.mark.parametrize("where", ["commondir", "objects/info/alternates", "HEAD", "config"])
def test_a_pipe_among_git_s_files_stops_nothing(
    where: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    path = _git(arena) / where
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    monkeypatch.setattr("chunk_pipeline.corpus.git_fetch.QUESTION_TIMEOUT", 0.5)
    monkeypatch.setattr("chunk_pipeline.corpus.git_fetch.FETCH_TIMEOUT", 0.5)
    with pytest.raises(SourceUnreachableError, match="source 'hostile'"):
        arena.fates()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
@pytest.mark.parametrize("part", ["everything", "the repository alone"])
def test_a_folder_of_another_user_is_a_clear_message(
    part: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CVE-2024-32004: a repository that another user prepared, and its configuration."""
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    (arena.root / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
    monkeypatch.setenv("HOME", str(arena.root))
    for path in (arena.repository.folder, *arena.repository.folder.rglob("*")):
        if part == "everything" or path == _git(arena):
            os.chown(path, 12345, 12345)
    with pytest.raises(
        SourceRefusedError, match="belongs to another user: change its owner, or use"
    ) as caught:
        arena.fates()
    assert "safe.directory" not in str(caught.value)
    assert not caught.value.retryable
