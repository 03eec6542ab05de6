"""Names of files and of sources: any bytes, told apart, kept inside the warehouse, and the run goes on."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chunk_pipeline.corpus.partition_keys import partition_key, source_name
from chunk_pipeline.corpus.paths import escape_path, unescape_path
from chunk_pipeline.corpus.sources import SourcesError
from chunk_pipeline.warehouse.tables import FILTERED_FILES
from tests.corpus.hostile.arena import Arena, ingested

pytestmark = pytest.mark.hostile_repository

E_ACUTE = "\u00e9"
NAMES: dict[str, tuple[bytes, ...]] = {
    "invalid UTF-8": (b"bad\xff.json",),
    "invalid UTF-8 and its escape": (b"bad\xff.json", rb"bad\xff.json", rb"bad\\xff.json"),
    "overlong UTF-8": (b"bad\xc0\xaf.json",),
    "a surrogate in UTF-8": (b"bad\xed\xa0\x80.json",),
    "latin-1": (b"caf\xe9.json",),
    "newline": (b"new\nline.json",),
    "carriage return and tab": (b"a\r\tb.json",),
    "an option": (b"-rf.json", b"--exec=x.json"),
    "quotes": (b"a\"b'c`d.json",),
    "comma and colons": (b"a,b::c.json", b"a|b;c.json"),
    "a wildcard": (b"*.json", b"a?[b].json"),
    "spaces around": (b" a.json", b"a .json"),
    "a backslash": (rb"a\b.json", rb"up\..\..\a.json"),
    "a drive": (b"C:x.json",),
    "a device of Windows": (b"con.json", b"nul.json"),
    "a variable and a command": (b"$HOME.json", b"$(touch executed).json", b"`touch executed`.json"),
    "markup": (b"<script>alert(1).json", b"[x](javascript:1).json"),
    "an escape sequence": (b"\x1b[31mred\x1b[0m.json", b"\x07bell.json", b"\x7fdel.json"),
    "bidi controls (CVE-2021-42574)": ("a\u202enosj.json".encode(), "\u2066b.json".encode()),
    "emoji": ("\U0001f600.json".encode(), "\U0001f468\u200d\U0001f469.json".encode()),
    "a byte order mark": ("\ufeffa.json".encode(), b"a.json"),
    "no character": ("\u200b.json".encode(), "\u2060.json".encode()),
    "one letter composed and decomposed": (
        unicodedata.normalize("NFC", E_ACUTE + ".json").encode(),
        unicodedata.normalize("NFD", E_ACUTE + ".json").encode(),
    ),
    "two cases": (b"Case.json", b"case.json", b"CASE.json"),
    "cases that are one in Turkish": ("\u0130.json".encode(), b"i.json", "\u0131.json".encode()),
    "letters that look alike": (b"a.json", "\u0430.json".encode()),
    "255 bytes": (b"x" * 250 + b".json",),
    "folders with such names": (b"\xff/a.json", b"-rf/a.json", b"a\nb/c,d/e.json"),
    "a JSON pointer": (b"a~1b~0c.json", b"a%2fb.json"),
    "a hive key": (b"repository=other/a.json", b"__HIVE__/a.json"),
    "SQL": (b"'; drop table files; --.json",),
    "a formula": (b"=cmd|x.json", b"@sum(1).json", b"+1.json"),
}


def _in_git(arena: Arena, names: tuple[bytes, ...]) -> None:
    for index, name in enumerate(names):
        arena.repository.add(name, f"[{index}]")
    arena.repository.commit()


def _in_a_folder(arena: Arena, names: tuple[bytes, ...]) -> None:
    for index, name in enumerate(names):
        path = os.fsencode(arena.folder) + b"/" + name
        Path(os.fsdecode(path)).parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w") as file:  # noqa: PTH123 - the name may hold any byte
            file.write(f"[{index}]")


@pytest.mark.parametrize("make", [_in_git, _in_a_folder], ids=["git", "folder"])
@pytest.mark.parametrize("name", NAMES)
def test_files_of_any_name_are_distinct_rows_with_their_own_content(
    name: str, make: Callable[[Arena, tuple[bytes, ...]], None], arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(arena.root)
    names = NAMES[name]
    make(arena, names)
    expected = {escape_path(each): ("kept", None) for each in names}
    assert arena.fates() == expected
    if name == "invalid UTF-8 and its escape":
        asking = replace(arena.workspace(), asking=True)
        assert ingested(asking, "hostile") == expected, "a second run has nothing to do"
    assert len(expected) == len(names)
    assert arena.texts() == {f"[{index}]" for index in range(len(names))}
    rows = arena.workspace().warehouse.read(FILTERED_FILES)
    assert {unescape_path(path) for path in rows["path"].to_pylist()} == set(names)
    assert not arena.marker.exists()


def test_a_path_longer_than_a_file_system_takes_is_read_from_git(arena: Arena) -> None:
    long = b"/".join([b"d" * 255] * 30) + b"/a.json"
    arena.repository.add(long, "[0]")
    arena.repository.add(b"y" * 3000 + b".json", "[1]")
    arena.repository.commit()
    assert set(arena.fates().values()) == {("kept", None)}
    assert arena.texts() == {"[0]", "[1]"}


SOURCES = {
    "slash": "org/app",
    "parent": "..",
    "parents": "../../etc/passwd",
    "here": ".",
    "hidden": ".git",
    "colon": "C:app",
    "spaces": "my web app",
    "comma and bar": "a,b|c",
    "a range of partitions": "a...b",
    "quotes": "a\"b'c",
    "percent": "a%2fb",
    "hive": "repository=app",
    "null": "__HIVE_DEFAULT_PARTITION__",
    "capitals": "App",
    "unicode": "\u535a\u7269\u9986",
    "composed": unicodedata.normalize("NFC", "mus" + E_ACUTE + "e"),
    "decomposed": unicodedata.normalize("NFD", "mus" + E_ACUTE + "e"),
    "emoji": "\U0001f600",
    "an option": "--help",
    "a tilde": "~root",
    "a dollar": "$HOME",
    "a backslash": "a\\b",
    "a device of Windows": "con",
    "a dot behind": "app.",
    "wildcard": "a*b?",
    "200 letters": "x" * 200,
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_of_any_name_has_a_folder_of_its_own_inside_the_warehouse(name: str, arena: Arena) -> None:
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    wanted = SOURCES[name]
    assert arena.fates(name=wanted) == {"a.json": ("kept", None)}
    key = partition_key(wanted)
    assert source_name(key) == wanted
    written = arena.root / "warehouse" / "filtered_files" / f"repository={key}"
    assert written.is_dir()
    assert not {"/", "\\", ",", "|", ":"} & set(key)
    assert [each.repository for each in arena.workspace().warehouse.partitions(FILTERED_FILES)] == [key]
    assert {path.name for path in arena.root.iterdir()} <= {
        "origin", "bin", "warehouse", "cache", "sources.yaml"
    }  # fmt: skip


def test_names_that_a_file_system_takes_for_one_have_folders_of_their_own(arena: Arena) -> None:
    arena.repository.add("a.json", "[1]")
    arena.repository.commit()
    names = ["app", "App", "APP", SOURCES["composed"], SOURCES["decomposed"], "a/b", "a.b", "a~1b"]
    workspace = arena.workspace(*(arena.source(name=each) for each in names))
    asking = replace(workspace, asking=True)
    for each in names:
        assert ingested(workspace, each) == {"a.json": ("kept", None)}
        assert ingested(asking, each) == {"a.json": ("kept", None)}, "a second run has nothing to do"
    keys = [partition_key(each) for each in names]
    folded = {unicodedata.normalize("NFC", key).casefold() for key in keys}
    assert len(folded) == len(names)
    assert len(workspace.warehouse.partitions(FILTERED_FILES)) == len(names)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x" * 300, "choose a shorter name"),
        ("\u535a" * 200, "choose a shorter name"),
        ("a\nb", "control characters"),
        ("a\x1b[31m", "control characters"),
        ("a\u202eb", "control characters"),
        (" a", "spaces at its ends"),
        ("", "at least 1 character"),
    ],
    ids=["300 letters", "200 ideographs", "newline", "escape sequence", "bidi", "space", "empty"],
)
def test_a_name_that_can_have_no_folder_is_an_error_of_the_sources_file(
    name: str, said: str, arena: Arena
) -> None:
    with pytest.raises(SourcesError, match=said) as caught:
        arena.fates(name=name)
    assert "sources[0].name" in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
