from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from git_repository import GitRepository

from chunk_pipeline.corpus.entry import (
    Entry,
    EntryUnreadableError,
    SourceAwayError,
    SourceRefusedError,
    SourceUnreachableError,
)
from chunk_pipeline.corpus.git import GitSnapshot, open_git
from chunk_pipeline.corpus.profiles import BUILT_IN
from chunk_pipeline.corpus.snapshot import head_of, open_snapshot, pinned_snapshot

DEFAULT = BUILT_IN["default"]
NO_SERVER = "https://127.0.0.1:1/app.git"


def contents(snapshot: GitSnapshot) -> dict[str, bytes]:
    return {entry.path: data for entry, data in snapshot.read_many(snapshot.entries())}


def test_blobs_are_read_at_the_commit_and_not_from_the_working_copy(
    repository: GitRepository, cache: Path
) -> None:
    repository.add("a.json", "[1]")
    commit = repository.commit()
    (repository.folder / "a.json").write_text("uncommitted")
    (repository.folder / "new.json").write_text("untracked")
    snapshot = open_git(repository.source(), cache)
    assert snapshot.id == commit == head_of(repository.source(), DEFAULT, cache)
    assert contents(snapshot) == {"a.json": b"[1]"}


def test_listing_gives_size_kind_and_blob_of_every_path(repository: GitRepository, cache: Path) -> None:
    repository.add("run.sh", "x", mode="100755")
    repository.add("link.json", "/etc/passwd", mode="120000")
    repository.add_object("vendored", "1" * 40, mode="160000")
    repository.commit()
    run, link, vendored = repository.blob(b"x"), repository.blob(b"/etc/passwd"), "1" * 40
    snapshot = open_git(repository.source(), cache)
    assert snapshot.entries() == [
        Entry("link.json", 0, "symlink", link),
        Entry("run.sh", 1, "file", run),
        Entry("vendored", 0, "submodule", vendored),
    ]
    assert contents(snapshot) == {"run.sh": b"x"}


def test_names_of_any_bytes_are_distinct_and_readable(repository: GitRepository, cache: Path) -> None:
    names = {
        b"bad\xff.json": "bad\\xff.json",
        rb"bad\xff.json": "bad\\\\xff.json",
        b'quote".json': 'quote".json',
        b"new\nline\ttab.json": "new\nline\ttab.json",
        b"-rf": "-rf",
        b"a,b::c": "a,b::c",
        b"Case.json": "Case.json",
        b"case.json": "case.json",
        "caf\u00e9".encode(): "caf\u00e9",
        "cafe\u0301".encode(): "cafe\u0301",
    }
    for index, name in enumerate(names):
        repository.add(name, f"[{index}]")
    repository.commit()
    expected = {path: f"[{index}]".encode() for index, path in enumerate(names.values())}
    assert contents(open_git(repository.source(), cache)) == expected


def test_blobs_come_as_committed_past_filters_and_line_end_rules(
    repository: GitRepository, cache: Path
) -> None:
    repository.add(".gitattributes", "* text eol=crlf filter=lfs export-ignore ident")
    repository.add("a.txt", b"one\ntwo\r\n$Id$\n\0")
    repository.commit()
    assert contents(open_git(repository.source(), cache))["a.txt"] == b"one\ntwo\r\n$Id$\n\0"


def test_a_sub_path_limits_the_listing_and_keeps_paths(repository: GitRepository, cache: Path) -> None:
    for path in ("docs/guide/a.md", "docs/guide/x/b.md", "docs/guidebook.md", "c.md"):
        repository.add(path, "x")
    repository.add("link", "docs", mode="120000")
    repository.commit()
    snapshot = open_git(repository.source(sub_path="docs/guide"), cache)
    assert sorted(contents(snapshot)) == ["docs/guide/a.md", "docs/guide/x/b.md"]
    for wrong in ("nowhere", "c.md", "link", "link/guide"):
        with pytest.raises(SourceRefusedError, match="correct 'sub_path'"):
            open_git(repository.source(sub_path=wrong), cache).entries()


def test_a_ref_may_be_a_branch_a_tag_or_a_commit(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    first = repository.commit()
    repository.git("tag", "-a", "v1", "-m", "annotated")
    repository.git("tag", "light")
    repository.git("branch", "topic/x")
    repository.add("a", "2")
    second = repository.commit()
    repository.git("tag", "both", first)
    repository.git("branch", "both", second)
    refs = {
        "v1": first,
        "light": first,
        "topic/x": first,
        "refs/tags/v1": first,
        first: first,
        "main": second,
    }
    for ref, commit in (refs | {"HEAD": second, "both": second}).items():
        source = repository.source(ref=ref)
        assert head_of(source, DEFAULT, cache) == commit
        assert open_git(source, cache).id == commit


def test_a_detached_head_and_a_bare_repository_are_read(tmp_path: Path, cache: Path) -> None:
    working = GitRepository(tmp_path / "working")
    working.add("a", "1")
    first = working.commit()
    working.add("a", "2")
    working.commit()
    working.git("checkout", "--quiet", "--detach", first)
    assert open_git(working.source(name="detached"), cache).id == first
    working.git("clone", "--quiet", "--bare", str(working.folder), str(tmp_path / "bare.git"))
    bare = working.source(name="bare", url=str(tmp_path / "bare.git"))
    assert contents(open_git(bare, cache)) == {"a": b"1"}


def test_only_the_wanted_depth_is_fetched(repository: GitRepository, cache: Path) -> None:
    for number in range(3):
        repository.add("a", str(number))
        repository.commit()
    snapshot = open_git(repository.source(depth=1), cache)
    assert contents(snapshot) == {"a": b"2"}
    assert (snapshot.repository / "shallow").read_text().split() == [snapshot.id]
    repository.add("a", "3")
    repository.commit()
    assert contents(open_git(repository.source(depth=1), cache)) == {"a": b"3"}


def test_a_shallow_repository_can_be_a_source(repository: GitRepository, tmp_path: Path, cache: Path) -> None:
    for number in range(3):
        repository.add("a", str(number))
        repository.commit()
    shallow = tmp_path / "shallow"
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.folder}", str(shallow))
    assert contents(open_git(repository.source(url=str(shallow)), cache)) == {"a": b"2"}


def test_sha256_repositories_are_read(tmp_path: Path, cache: Path) -> None:
    repository = GitRepository(tmp_path / "modern", object_format="sha256")
    repository.add("a", "1")
    commit = repository.commit()
    snapshot = open_git(repository.source(), cache)
    assert snapshot.id == commit
    assert len(commit) == 64
    assert contents(snapshot) == {"a": b"1"}


def test_a_cache_of_another_object_format_is_made_anew(
    repository: GitRepository, tmp_path: Path, cache: Path
) -> None:
    repository.add("a", "1")
    repository.commit()
    open_git(repository.source(), cache)
    modern = GitRepository(tmp_path / "modern", object_format="sha256")
    modern.add("a", "2")
    modern.commit()
    assert contents(open_git(modern.source(), cache)) == {"a": b"2"}


def test_rewritten_history_is_followed(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    repository.commit()
    before = open_git(repository.source(), cache)
    repository.remove("a")
    repository.add("b", "2")
    repository.commit("--amend")
    after = open_git(repository.source(), cache)
    assert contents(after) == {"b": b"2"}
    assert contents(before) == {"a": b"1"}


def test_a_deleted_branch_or_an_empty_repository_is_an_error(repository: GitRepository, cache: Path) -> None:
    for opening in (open_git, lambda source, cache: head_of(source, DEFAULT, cache)):
        with pytest.raises(SourceRefusedError, match="Nothing is taken as deleted"):
            opening(repository.source(), cache)
    repository.add("a", "1")
    repository.commit()
    repository.git("branch", "topic")
    open_git(repository.source(ref="topic"), cache)
    repository.git("branch", "-D", "topic")
    with pytest.raises(SourceRefusedError, match="no ref 'topic'") as caught:
        open_git(repository.source(ref="topic"), cache)
    assert not caught.value.retryable


def test_a_repository_that_is_away_is_not_asked_again(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    repository.commit()
    open_git(repository.source(), cache)
    repository.folder.rename(repository.folder.with_name("away"))
    for url in (str(repository.folder), repository.folder.as_uri()):
        with pytest.raises(SourceAwayError, match="source 'app'") as caught:
            open_git(repository.source(url=url), cache)
        assert not caught.value.retryable


def test_a_repository_that_is_there_and_fails_is_worth_a_retry(
    repository: GitRepository, cache: Path
) -> None:
    (repository.folder / ".git" / "HEAD").unlink()
    with pytest.raises(SourceUnreachableError, match="source 'app'") as caught:
        open_git(repository.source(), cache)
    assert caught.value.retryable


def test_a_server_that_does_not_answer_is_worth_a_retry(repository: GitRepository, cache: Path) -> None:
    with pytest.raises(SourceUnreachableError, match="source 'app'") as caught:
        open_git(repository.source(url=NO_SERVER), cache)
    assert caught.value.retryable


def test_a_ref_that_is_no_commit_is_refused(repository: GitRepository, cache: Path) -> None:
    repository.git("tag", "blob", repository.blob(b"x"))
    repository.commit()
    with pytest.raises(SourceRefusedError, match="is a blob, not a commit"):
        open_git(repository.source(ref="blob"), cache)


def test_an_emptied_repository_has_no_entries(repository: GitRepository, cache: Path) -> None:
    repository.commit()
    assert open_git(repository.source(), cache).entries() == []


def test_a_damaged_cache_is_made_anew(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    repository.commit()
    snapshot = open_git(repository.source(), cache)
    damaged = [path for path in (snapshot.repository / "objects").rglob("*") if path.is_file()]
    for path in damaged:
        path.chmod(0o644)
        path.write_bytes(b"")
    assert contents(open_git(repository.source(), cache)) == {"a": b"1"}


def test_what_a_killed_fetch_left_does_not_stand_in_the_way(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    repository.commit()
    snapshot = open_git(repository.source(depth=1), cache)
    left = ["shallow.lock", "refs/chunk-pipeline/snapshot.lock", "objects/pack/tmp_pack_x", "config.lock"]
    for name in left:
        (snapshot.repository / name).parent.mkdir(exist_ok=True)
        (snapshot.repository / name).write_bytes(b"")
    repository.add("a", "2")
    repository.commit()
    assert contents(open_git(repository.source(depth=1), cache)) == {"a": b"2"}
    assert not [name for name in left if (snapshot.repository / name).exists()]


def test_a_missing_blob_is_one_unreadable_file(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    repository.commit()
    snapshot = open_git(repository.source(), cache)
    (there,) = snapshot.entries()
    absent = Entry("b", 1, "file", hashlib.sha1(b"absent").hexdigest())
    forged = Entry("c", 1, "file", f"{there.object_id}\n{there.object_id}")
    assert [entry.path for entry, _ in snapshot.read_many([absent, forged, there])] == ["a"]
    with pytest.raises(EntryUnreadableError, match="lacks the blob"):
        snapshot.read(absent)


def test_a_pinned_commit_is_read_while_the_server_is_away(repository: GitRepository, cache: Path) -> None:
    repository.add("a", "1")
    repository.commit()
    snapshot = open_snapshot(repository.source(), DEFAULT, cache)
    away = repository.folder.rename(repository.folder.with_name("away"))
    pinned = pinned_snapshot(repository.source(), cache, snapshot.id)
    assert pinned.read(snapshot.entries()[0]) == b"1"
    away.rename(repository.folder)
    with pytest.raises(SourceRefusedError, match="materialise raw_files again"):
        pinned_snapshot(repository.source(), cache, "0" * 40)


def test_a_lost_cache_is_fetched_again_for_a_pinned_commit(
    repository: GitRepository, cache: Path, tmp_path: Path
) -> None:
    repository.add("a", "1")
    repository.commit()
    snapshot = open_git(repository.source(), cache)
    pinned = pinned_snapshot(repository.source(), tmp_path / "other", snapshot.id)
    assert pinned.read(snapshot.entries()[0]) == b"1"
