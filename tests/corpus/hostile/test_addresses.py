"""An address, a ref or a sub-path that is an option or a command is refused, and again below that check."""

from __future__ import annotations

import pytest

from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.corpus.git_command import GitError, run_git
from chunk_pipeline.corpus.git_urls import git_location
from chunk_pipeline.corpus.sources import SourcesError
from tests.corpus.hostile.arena import Arena

pytestmark = pytest.mark.hostile_repository

ADDRESSES = {
    "ext": "ext::sh -c touch% MARKER",
    "ext in capitals": "EXT::sh -c touch% MARKER",
    "ext by git-remote": "ext::PROGRAM %S repository",
    "fd": "fd::17,18/x",
    "a helper on the path": "evil::x",
    "a helper before https": "evil::https://example.invalid/x",
    "helper with a scheme": "evil://example.invalid/x",
    "option": "--upload-pack=PROGRAM",
    "option of one letter": "-uPROGRAM",
    "option after spaces": " --upload-pack=PROGRAM",
    "option as host (CVE-2017-1000117)": "ssh://-oProxyCommand=PROGRAM/x",
    "option as host after a user": "ssh://git@-oProxyCommand=PROGRAM/x",
    "option as host, short form": "git@-oProxyCommand=program:x",
    "option as user, short form": "-oProxyCommand=PROGRAM@host:x",
    "option as path, short form": "git@host:-uprogram",
    "option behind percent signs": "ssh://%2doProxyCommand=PROGRAM/x",
    "a command in the host": "ssh://$(PROGRAM)/x",
    "a command in the host, short form": "git@`program`:x",
    "a second line (CVE-2020-5260)": "https://example.invalid/\nhost=other.invalid",
    "a carriage return (CVE-2024-52006)": "https://example.invalid/\rhost=other.invalid",
    "an escape sequence": "https://example.invalid/\x1b[2J",
    "a NUL": "https://example.invalid/\0",
    "without authenticity": "http://example.invalid/x",
    "the git protocol": "git://example.invalid/x",
    "ftp": "ftp://example.invalid/x",
    "rsync": "rsync://example.invalid/x",
    "a file of another host": "file://other/x",
    "no host": "https:///x",
    "nothing": "",
}

ANYTHING_GOES = '[protocol "ext"]\n\tallow = always\n[protocol]\n\tallow = always\n'


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_that_could_run_something_is_refused(
    name: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = ADDRESSES[name].replace("MARKER", str(arena.marker)).replace("PROGRAM", str(arena.program))
    for command in ("git-remote-evil", "ssh"):
        arena.program.with_name(command).hardlink_to(arena.program)
    (arena.root / ".gitconfig").write_text(ANYTHING_GOES)
    monkeypatch.setenv("HOME", str(arena.root))
    monkeypatch.setenv("PATH", f"{arena.program.parent}:/usr/bin:/bin")
    with pytest.raises(SourcesError) as caught:
        arena.fates(url=url)
    assert "sources.yaml:" in str(caught.value)
    assert all(line.isprintable() for line in str(caught.value).splitlines())
    assert not arena.marker.exists()


@pytest.mark.parametrize("name", [each for each in ADDRESSES if "\0" not in ADDRESSES[each]])
def test_git_itself_is_told_not_to_use_such_an_address(
    name: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = ADDRESSES[name].replace("MARKER", str(arena.marker)).replace("PROGRAM", str(arena.program))
    arena.program.with_name("git-remote-evil").hardlink_to(arena.program)
    (arena.root / ".gitconfig").write_text(ANYTHING_GOES)
    monkeypatch.setenv("HOME", str(arena.root))
    monkeypatch.setenv("PATH", f"{arena.program.parent}:/usr/bin:/bin")
    if name.startswith(("ext", "a helper")) and "capitals" not in name:
        assert arena.sprung("git", "ls-remote", "--", url), "the trap must work for the test to mean anything"
    with pytest.raises(GitError):
        run_git(["ls-remote", "--", url], repository=None, protocol="file", timeout=10)
    assert not arena.marker.exists()


def test_a_remote_of_that_name_in_the_user_s_settings_is_not_used(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "https://localhost:1/x.git"
    arena.program.with_name("git-remote-evil").hardlink_to(arena.program)
    lines = f'[remote "{url}"]\n\turl = x\n\tvcs = evil\n[protocol "evil"]\n\tallow = always\n'
    (arena.root / ".gitconfig").write_text(lines)
    monkeypatch.setenv("HOME", str(arena.root))
    monkeypatch.setenv("PATH", f"{arena.program.parent}:/usr/bin:/bin")
    assert arena.sprung("git", "ls-remote", url), "the trap must work for the test to mean anything"
    with pytest.raises(SourceUnreachableError, match="source 'hostile'"):
        arena.fates(url=url)
    assert not arena.marker.exists()


@pytest.mark.parametrize(
    "place",
    [
        {"ref": "--upload-pack=PROGRAM"},
        {"ref": "-uPROGRAM"},
        {"ref": "main:refs/heads/x"},
        {"ref": "main\n--upload-pack=PROGRAM"},
        {"ref": "refs/heads/../../config"},
        {"ref": "ma*"},
        {"ref": "main@{1}"},
        {"sub_path": "../other"},
        {"sub_path": "/etc"},
        {"sub_path": "a/../../etc"},
        {"sub_path": "a\n../etc"},
    ],
    ids=str,
)
def test_a_ref_or_sub_path_that_is_more_than_a_name_is_refused(place: dict[str, str], arena: Arena) -> None:
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    settings = {key: value.replace("PROGRAM", str(arena.program)) for key, value in place.items()}
    with pytest.raises(SourcesError, match=next(iter(place))):
        arena.fates(**settings)
    assert not arena.marker.exists()


def test_a_local_path_that_begins_with_a_hyphen_is_written_with_a_dot(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    arena.repository.folder.rename(arena.root / "-rf")
    monkeypatch.chdir(arena.root)
    with pytest.raises(ValueError, match=r"write './-…'"):
        git_location("-rf")
    assert arena.fates(url="./-rf") == {"a.json": ("kept", None)}
