from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from git_repository import GitRepository
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.corpus.entry import Entry, EntryUnreadableError
from chunk_pipeline.corpus.filtering import Filtered, filter_files, scan
from chunk_pipeline.corpus.profiles import BUILT_IN, Profile
from chunk_pipeline.corpus.snapshot import open_snapshot
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.warehouse.tables import CONTENTS, FILTERED_FILES, QUARANTINE, RAW_FILES, SECRETS

RAG = BUILT_IN["js_vue_rag"]
DEFAULT = BUILT_IN["default"]


@dataclass(frozen=True)
class Files:
    """A snapshot in memory."""

    files: dict[str, bytes]

    @property
    def id(self) -> str:
        return hashlib.sha256(repr(sorted(self.files.items())).encode()).hexdigest()

    def entries(self) -> list[Entry]:
        digest = {path: hashlib.sha256(data).hexdigest() for path, data in self.files.items()}
        return [Entry(path, len(self.files[path]), "file", digest[path]) for path in sorted(self.files)]

    def read(self, entry: Entry) -> bytes:
        if entry.path not in self.files:
            raise EntryUnreadableError("vanished: it is gone")
        return self.files[entry.path]

    def read_many(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes]]:
        return ((entry, self.files[entry.path]) for entry in entries if entry.path in self.files)


def source(**changes: object) -> Source:
    return Source.model_validate({"name": "app", "kind": "folder", "path": "/nowhere"} | changes)


def filtered(
    files: dict[str, bytes],
    profile: Profile = RAG,
    previous: Filtered | None = None,
    of: Source | None = None,
) -> Filtered:
    of = of or source()
    snapshot = Files(files)
    return filter_files(scan(of, profile, snapshot), snapshot, of, profile, previous)


def fates(outcome: Filtered) -> dict[str, tuple[str, str | None]]:
    return {row["path"]: (row["fate"], row["reason"]) for row in outcome.files.to_pylist()}


def same(one: Filtered, other: Filtered) -> bool:
    names = ("files", "contents", "quarantine", "secrets")
    return all(getattr(one, name).equals(getattr(other, name), check_metadata=True) for name in names)


def test_every_path_gets_one_fate_and_the_first_reason() -> None:
    outcome = filtered(
        {
            "a.json": b"{}",
            "package.json": b"x" * 300_000,
            "logo.png": b"\0",
            "Makefile": b"\0",
            "x.min.js": b"x" * 300_000,
            "big.md": b"x" * 200_001,
            "long.md": b"x" * 10_001,
            "readme.md": b"\xff",
            "notes.md": b"hi",
            "bad.json": b'{"a": "\xff"}',
            "nul.json": b"{\0}",
            "none.json": b"",
            "blank.json": b"\xef\xbb\xbf \n",
            "lfs.json": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "docs/inner.json": b"{}",
        }
    )
    assert fates(outcome) == {
        "Makefile": ("dropped", "no_extension"),
        "a.json": ("kept", None),
        "bad.json": ("quarantined", "undecodable: not utf-8: invalid start byte at byte 7"),
        "big.md": ("dropped", "file_too_large"),
        "blank.json": ("dropped", "empty"),
        "lfs.json": ("dropped", "lfs_pointer"),
        "logo.png": ("dropped", "binary_or_non_text"),
        "long.md": ("dropped", "long_line_minified_or_data"),
        "none.json": ("dropped", "empty"),
        "notes.md": ("dropped", "extension_not_in_whitelist"),
        "nul.json": ("quarantined", "undecodable: binary: NUL character at 1 as utf-8"),
        "package.json": ("dropped", "excluded_filename"),
        "readme.md": ("dropped", "extension_not_in_whitelist"),
        "x.min.js": ("dropped", "pattern_match"),
    }
    assert outcome.n_read == 8
    assert outcome.n_reused == 0


def test_tables_have_their_declared_schemas() -> None:
    outcome = filtered({"a.json": b"{}"})
    assert scan(source(), RAG, Files({})).schema.equals(RAW_FILES.schema, check_metadata=True)
    assert outcome.files.schema.equals(FILTERED_FILES.schema, check_metadata=True)
    assert outcome.contents.schema.equals(CONTENTS.schema, check_metadata=True)
    assert outcome.quarantine.schema.equals(QUARANTINE.schema, check_metadata=True)
    assert filtered({}).files.schema.equals(FILTERED_FILES.schema, check_metadata=True)


@pytest.mark.parametrize(("over", "fate"), [(-1, "kept"), (0, "kept"), (1, "dropped")])
def test_the_cap_is_exact(over: int, fate: str) -> None:
    data = b"x\n" * 100_000 + b"yy"
    assert fates(filtered({"a.js": data[: RAG.cap + over]}))["a.js"][0] == fate


def test_texts_are_decoded_exactly_and_stored_once() -> None:
    files = {
        "bom.json": codecs.BOM_UTF8 + b'{"a":\r\n1}',
        "copy.json": b"{}",
        "original.json": b"{}",
        "wide.json": codecs.BOM_UTF16_LE + "{}".encode("utf-16-le"),
        "latin.js": "// caf\u00e9".encode("latin-1"),
    }
    outcome = filtered(files, of=source(encodings=["latin-1"]))
    text = {row["content_sha256"]: row["text"] for row in outcome.contents.to_pylist()}
    rows = {row["path"]: row for row in outcome.files.to_pylist()}
    assert text[rows["bom.json"]["content_sha256"]] == '{"a":\r\n1}'
    assert text[rows["latin.js"]["content_sha256"]] == "// caf\u00e9"
    assert text[rows["wide.json"]["content_sha256"]] == "{}"
    assert len(text) == 4
    encodings = {path: row["encoding"] for path, row in rows.items()}
    assert encodings == {
        "bom.json": "utf-8-sig",
        "copy.json": "utf-8",
        "latin.js": "iso8859-1",
        "original.json": "utf-8",
        "wide.json": "utf-16-le",
    }


def test_the_quarantine_shows_the_first_bytes() -> None:
    data = b'\\ "caf\xe9"\n' + b"z" * 100
    (row,) = filtered({"a.json": data}).quarantine.to_pylist()
    assert row["first_bytes"].startswith('\\x5c "caf\\xe9"\\x0a')
    assert row["content_sha256"] == hashlib.sha256(data).hexdigest()
    assert row["stage"] == "filtered_files"
    assert row["error"] == "undecodable: not utf-8: invalid continuation byte at byte 6"


def test_what_cannot_be_read_is_quarantined_and_the_rest_goes_on() -> None:
    of = source()
    before = Files({"a.json": b"{}", "gone.json": b"{}", "gone.md": b"x"})
    raw = scan(of, RAG, before)
    outcome = filter_files(raw, Files({"a.json": b"{}"}), of, RAG, None)
    assert fates(outcome) == {
        "a.json": ("kept", None),
        "gone.json": ("quarantined", "vanished: it is gone"),
        "gone.md": ("dropped", "extension_not_in_whitelist"),
    }
    assert outcome.quarantine["content_sha256"].to_pylist() == [None]
    again = filter_files(raw, before, of, RAG, outcome)
    assert fates(again)["gone.json"] == ("kept", None)


def test_only_changed_content_is_read_again() -> None:
    files = {"a.json": b"{}", "b.json": b"[]", "c.md": b"x", "bad.json": b"\xff"}
    first = filtered(files)
    assert (first.n_read, first.n_reused) == (4, 0)
    second = filtered(files, previous=first)
    assert (second.n_read, second.n_reused) == (0, 4)
    assert same(first, second)
    changed = files | {"b.json": b"[1]"}
    third = filtered(changed, previous=second)
    assert (third.n_read, third.n_reused) == (1, 3)
    assert same(third, filtered(changed))


def test_another_profile_or_encoding_judges_everything_anew() -> None:
    files = {"a.json": b"{}", "b.js": b"\xe9"}
    first = filtered(files)
    wider = RAG.model_copy(update={"cap": 200_001})
    assert filtered(files, wider, first).n_reused == 0
    latin = source(encodings=["latin-1"])
    again = filtered(files, RAG, first, latin)
    assert again.n_reused == 0
    assert fates(again)["b.js"] == ("kept", None)


def test_a_text_that_the_earlier_table_lost_is_read_again() -> None:
    files = {"a.json": b"{}", "b.json": b"\xff"}
    first = filtered(files)
    damaged = Filtered(first.files, CONTENTS.empty(), QUARANTINE.empty(), SECRETS.empty())
    again = filtered(files, previous=damaged)
    assert again.n_read == 2
    assert same(again, first)


def test_a_symlink_that_becomes_a_file_with_the_same_blob_is_read() -> None:
    of = source()
    blob = hashlib.sha256(b"target").hexdigest()
    raw = scan(of, DEFAULT, Files({"a.txt": b"target"}))
    link = raw.set_column(3, RAW_FILES.schema.field("kind"), pa.array(["symlink"]))
    first = filter_files(link, Files({}), of, DEFAULT, None)
    assert fates(first) == {"a.txt": ("dropped", "symlink")}
    assert first.files["object_id"].to_pylist() == [blob]
    then = filter_files(raw, Files({"a.txt": b"target"}), of, DEFAULT, first)
    assert fates(then) == {"a.txt": ("kept", None)}


PATHS = st.sampled_from(["a.json", "b.json", "c.js", "d.md", "docs/e.json", "package.json", "f"])
DATA = st.sampled_from([b"{}", b"[]", b"", b" ", b"\xff", b"\0", b"x" * 10_001, codecs.BOM_UTF8 + b"{}"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(PATHS, DATA), min_size=2, max_size=4))
def test_any_history_ends_as_if_filtered_from_scratch(states: list[dict[str, bytes]]) -> None:
    outcome = None
    for state in states:
        outcome = filtered(state, previous=outcome)
        assert same(outcome, filtered(state))
        assert outcome.files.num_rows == len([path for path in state if not path.startswith("docs/")])


def test_git_and_a_folder_with_the_same_files_agree(repository: GitRepository, cache: Path) -> None:
    tree = {
        "src/a.json": b"{}",
        "docs/b.json": b"{}",
        "dist/c.js": b"1",
        "bad.json": b"\xff",
        "big.js": b"x" * 200_001,
        "readme.md": b"hi",
    }
    for path, data in tree.items():
        repository.add(path, data)
        (repository.folder / path).parent.mkdir(exist_ok=True)
        (repository.folder / path).write_bytes(data)
    repository.commit()
    outcomes = []
    for of in (repository.source(), source(path=str(repository.folder))):
        snapshot = open_snapshot(of, RAG, cache)
        outcomes.append(filter_files(scan(of, RAG, snapshot), snapshot, of, RAG, None))
    from_git, from_folder = outcomes
    own = ["object_id", "snapshot"]
    assert from_git.files.drop_columns(own).equals(from_folder.files.drop_columns(own))
    assert from_git.contents.equals(from_folder.contents)
    assert from_git.quarantine.equals(from_folder.quarantine)


def test_a_new_commit_reads_only_its_changed_blobs(repository: GitRepository, cache: Path) -> None:
    for index in range(5):
        repository.add(f"{index}.json", f"[{index}]")
    repository.commit()
    of = repository.source()
    first_snapshot = open_snapshot(of, RAG, cache)
    first = filter_files(scan(of, RAG, first_snapshot), first_snapshot, of, RAG, None)
    repository.add("3.json", "[33]")
    repository.remove("4.json")
    repository.commit()
    snapshot = open_snapshot(of, RAG, cache)
    raw = scan(of, RAG, snapshot)
    second = filter_files(raw, snapshot, of, RAG, first)
    assert (first.n_read, second.n_read, second.n_reused) == (5, 1, 3)
    assert same(second, filter_files(raw, snapshot, of, RAG, None))
    assert "[4]" not in second.contents["text"].to_pylist()
