"""The files that the incremental stores are given, and what is done to them between two updates.

Real files of the pinned packages, chosen by a digest of their names: the same ones everywhere, with every
package and kind among them. The edits are pure functions of a text, and their files are chosen by size.
"""

from __future__ import annotations

import hashlib
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmarks._packages import CACHE, PACKAGES, fetched, wanted_files

N_FILES = 1300
N_EDITS = 3
"""How many files are edited, one after the other."""

SUFFIXES = (".js", ".json", ".md", ".vue")
_CHOSEN = frozenset({"bootstrap-vue", "primevue", "three"})
_LARGEST = 24_000
_EDITABLE = range(3_000, 8_000)
"""Characters of a file that is edited: about as many as a file has on average, or a little more."""

_WORD = re.compile(r"\w+")

Files = Mapping[str, str]
"""Texts by their paths, with slashes, in the order of the paths."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Paths of the files to which something is done, all different.

    Attributes:
        edited: One word is changed in each, one at a time.
        shrunk: Cut to its first half.
        deleted: Deleted.
        renamed: Gets another name in the same folder.
    """

    edited: tuple[str, ...]
    shrunk: str
    deleted: str
    renamed: str


def corpus(cache: Path = CACHE) -> dict[str, str]:
    """The files.

    Args:
        cache: Folder for the tarballs; made if it is not there.

    Raises:
        PackagesUnavailableError: A package is neither in the cache nor can it be fetched.
    """
    found: dict[str, str] = {}
    for package in PACKAGES:
        if package.name not in _CHOSEN:
            continue
        with tarfile.open(fetched(package, cache)) as archive:
            for member in wanted_files(archive, package.folders):
                if PurePosixPath(member.name).suffix in SUFFIXES and member.size <= _LARGEST:
                    file = archive.extractfile(member)
                    text = _plain(file.read() if file else b"")
                    if text is not None:
                        found[f"{package.name}/{member.name.removeprefix('package/')}"] = text
    return chosen(found, N_FILES)


def chosen(found: Files, count: int) -> dict[str, str]:
    """That many of the files, by the digest of their paths, in the order of their paths.

    Raises:
        ValueError: There are fewer.
    """
    if len(found) < count:
        raise ValueError(f"{len(found)} files are there, {count} are wanted")
    drawn = sorted(found, key=lambda path: hashlib.sha256(path.encode()).digest())[:count]
    return {path: found[path] for path in sorted(drawn)}


def _plain(data: bytes) -> str | None:
    """The text, if every store reads it alike: not blank, UTF-8 without a mark, one kind of line end."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    odd = text.startswith("\ufeff") or "\r" in text or "\0" in text
    return None if odd or not text.strip() else text


def write(files: Files, folder: Path) -> None:
    """Write files below a folder."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8"))


def read(folder: Path) -> Iterator[tuple[str, str]]:
    """Paths, with slashes, and texts of all files below a folder, in the order of the paths."""
    paths = ((place.relative_to(folder).as_posix(), place) for place in folder.rglob("*") if place.is_file())
    for path, place in sorted(paths):
        yield path, place.read_bytes().decode("utf-8")


def targets(files: Files) -> Targets:
    """What to edit: files of an ordinary size, spread over the whole.

    Raises:
        ValueError: There are too few of that size.
    """
    paths = [path for path, text in sorted(files.items()) if len(text) in _EDITABLE and _WORD.search(text)]
    needed = N_EDITS + 3
    if len(paths) < needed:
        raise ValueError(f"{len(paths)} files have a size of {_EDITABLE}, {needed} are needed")
    step = len(paths) // needed
    *edited, shrunk, deleted, renamed = (paths[step * index] for index in range(needed))
    return Targets(tuple(edited), shrunk, deleted, renamed)


def edited(text: str) -> str:
    """The text with another word in place of the one nearest its middle.

    Raises:
        ValueError: It has no word.
    """
    middle = len(text) // 2
    words: Sequence[re.Match[str]] = list(_WORD.finditer(text))
    if not words:
        raise ValueError("the text has no word that could be edited")
    word = min(words, key=lambda found: abs(found.start() - middle))
    return f"{text[: word.start()]}{word[0]}Changed{text[word.end() :]}"


def rewritten(text: str) -> str:
    """The text with every word changed, so that no chunk of it stays."""
    return _WORD.sub(lambda word: f"{word[0]}s", text)


def shrunk(text: str) -> str:
    """The first half of the text."""
    return text[: len(text) // 2]


def renamed(path: str) -> str:
    """Another path in the same folder."""
    before = PurePosixPath(path)
    return before.with_name(f"renamed_{before.name}").as_posix()
