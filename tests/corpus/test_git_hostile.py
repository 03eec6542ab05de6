"""A repository or its address must never run anything, nor leave its transport: a marker would show it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from git_repository import GitRepository

from chunk_pipeline.corpus import git_command
from chunk_pipeline.corpus.entry import SourceRefusedError
from chunk_pipeline.corpus.git import open_git
from chunk_pipeline.corpus.git_command import GitError, run_git
from chunk_pipeline.corpus.profiles import BUILT_IN
from chunk_pipeline.corpus.snapshot import head_of

pytestmark = pytest.mark.hostile_repository


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "executed"


def _program(folder: Path, marker: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\ncat\n")
    program.chmod(0o755)
    return program


def _read(repository: GitRepository, cache: Path) -> list[bytes]:
    head_of(repository.source(), BUILT_IN["default"], cache)
    snapshot = open_git(repository.source(), cache)
    return [data for _, data in snapshot.read_many(snapshot.entries())]


def test_configuration_and_hooks_of_the_source_run_nothing(
    repository: GitRepository, cache: Path, marker: Path, tmp_path: Path
) -> None:
    repository.add("a.json", "[1]")
    repository.add(".gitattributes", "*.json filter=evil diff=evil merge=evil")
    repository.commit()
    program = _program(tmp_path / "bin", marker)
    for setting in (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "core.pager",
        "core.sshCommand",
        "core.gitProxy",
        "credential.helper",
        "uploadpack.packObjectsHook",
        "gpg.program",
    ):
        repository.git("config", setting, str(program))
    for hook in (
        "post-checkout",
        "reference-transaction",
        "pre-auto-gc",
        "post-index-change",
        "fsmonitor-watchman",
    ):
        (repository.folder / ".git" / "hooks").mkdir(exist_ok=True)
        (repository.folder / ".git" / "hooks" / hook).unlink(missing_ok=True)
        (repository.folder / ".git" / "hooks" / hook).hardlink_to(program)
    repository.git("status")
    assert marker.exists(), "the trap must work for the test to mean anything"
    marker.unlink()
    assert b"[1]" in _read(repository, cache)
    assert not marker.exists()


def test_configuration_where_the_command_runs_is_not_obeyed(
    repository: GitRepository, cache: Path, marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.add("a.json", "[1]")
    repository.commit()
    here = GitRepository(tmp_path / "here")
    here.git("config", "protocol.ext.allow", "always")
    here.git("config", f"url.ext::sh -c touch% {marker} .insteadOf", str(repository.folder))
    with pytest.raises(subprocess.CalledProcessError):
        here.git("ls-remote", str(repository.folder))
    assert marker.exists(), "the trap must work for the test to mean anything"
    marker.unlink()
    monkeypatch.chdir(here.folder)
    assert _read(repository, cache) == [b"[1]"]
    assert not marker.exists()


def test_git_variables_of_the_environment_are_not_obeyed(
    repository: GitRepository, cache: Path, marker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.add("a.json", "[1]")
    repository.commit()
    program = _program(tmp_path / "bin", marker)
    variables = {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(program),
        "GIT_CONFIG_KEY_1": f"url.ext::{program}.insteadOf",
        "GIT_CONFIG_VALUE_1": str(repository.folder),
        "GIT_DIR": str(tmp_path / "elsewhere"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "elsewhere"),
        "GIT_TEMPLATE_DIR": str(tmp_path / "elsewhere"),
        "GIT_PROXY_COMMAND": str(program),
    }
    commit = repository.git("rev-parse", "HEAD")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert open_git(repository.source(), cache).id == commit
    assert not marker.exists()


def test_helper_transports_are_refused_below_the_validation_as_well(marker: Path) -> None:
    address = f"ext::sh -c touch% {marker}"
    for protocol in ("https", "file", ""):
        with pytest.raises(GitError, match="not allowed"):
            run_git(["ls-remote", "--", address], repository=None, protocol=protocol, timeout=30)
    assert not marker.exists()


def test_only_the_transport_of_the_address_is_allowed(repository: GitRepository) -> None:
    repository.commit()
    with pytest.raises(GitError, match="transport 'file' not allowed"):
        run_git(["ls-remote", "--", str(repository.folder)], repository=None, protocol="https", timeout=30)


def test_submodules_are_not_fetched(repository: GitRepository, cache: Path) -> None:
    repository.add(
        ".gitmodules", f'[submodule "s"]\n\tpath = s\n\turl = {repository.folder}\n\tupdate = none\n'
    )
    repository.add_object("s", "1" * 40, mode="160000")
    repository.commit()
    snapshot = open_git(repository.source(), cache)
    assert [entry.kind for entry in snapshot.entries()] == ["file", "submodule"]
    assert not (snapshot.repository / "modules").exists()


def test_trees_that_would_write_into_a_git_folder_are_refused(repository: GitRepository, cache: Path) -> None:
    blob = bytes.fromhex(repository.blob(b"[core]"))
    inner = repository.git(
        "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=b"100644 config\0" + blob
    )
    outer = b"40000 .git\0" + bytes.fromhex(inner)
    tree = repository.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=outer)
    repository.git("update-ref", "refs/heads/main", repository.git("commit-tree", tree, "-m", "evil"))
    with pytest.raises(SourceRefusedError, match="hasDotgit"):
        open_git(repository.source(), cache)


def test_submodule_addresses_that_are_options_are_refused(repository: GitRepository, cache: Path) -> None:
    repository.add(".gitmodules", '[submodule "s"]\n\tpath = s\n\turl = -u./payload\n')
    repository.commit()
    with pytest.raises(SourceRefusedError, match="gitmodulesUrl"):
        open_git(repository.source(), cache)


def test_a_symlink_in_the_tree_is_listed_and_not_read(repository: GitRepository, cache: Path) -> None:
    repository.add("passwd.json", "/etc/passwd", mode="120000")
    repository.commit()
    assert _read(repository, cache) == []


def test_passwords_stay_out_of_messages_and_of_the_cache(repository: GitRepository, cache: Path) -> None:
    repository.commit()
    with pytest.raises(GitError) as caught:
        run_git(
            ["ls-remote", "--", "https://user:secret@localhost:1/x.git"],
            repository=None,
            protocol="https",
            timeout=30,
        )
    assert "secret" not in str(caught.value)
    source = repository.source(url=f"file://{repository.folder}")
    assert str(repository.folder) not in repr(source)
    snapshot = open_git(source, cache)
    texts = [path.read_bytes() for path in snapshot.repository.iterdir() if path.is_file()]
    assert not [text for text in texts if str(repository.folder).encode() in text]


def test_a_command_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    script = f"exec 9>{pipe}; echo started >&9; sleep 20; echo survived >&9"
    monkeypatch.setenv("GIT_SSH_COMMAND", f"sh -c '{script}'")
    with pytest.raises(GitError, match="took longer"):
        run_git(["ls-remote", "--", "ssh://host/x"], repository=None, protocol="ssh", timeout=2.0)
    os.set_blocking(reader, True)
    with os.fdopen(reader, "rb") as file:
        assert b"survived" not in file.read()  # the pipe ends when the last process that holds it does


def test_no_file_grows_beyond_the_limit(
    repository: GitRepository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.add("noise", os.urandom(200_000))
    repository.commit()
    monkeypatch.setattr(git_command, "MAX_FILE_BYTES", 100_000)
    with pytest.raises(RuntimeError, match="source 'app'"):
        open_git(repository.source(), cache)
