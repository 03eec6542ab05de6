"""Local repositories read nothing but themselves: no alternates, no links to another repository.

A folder that somebody else packed can name another repository as its own: by a ``.git`` file, ``commondir``,
``objects/info/alternates`` or symbolic links among its objects. Git follows all of these, so what a private
repository holds would be read under the name of a public one (of the family of CVE-2022-39253, CVE-2024-32020
and CVE-2024-32021). A worktree that its repository knows is what it says; all else is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_SUFFIXES = ("/.git", "", ".git/.git", ".git")
"""What git appends to a path when it looks for the repository."""
_LONGEST = 65_536
"""Bytes of a file of git's that are read."""


def borrowed_part(folder: Path) -> str | None:
    """What a local repository reads of another one, as a sentence that says what to do; ``None`` if nothing.

    A folder that is not there, or no repository, borrows nothing: git says what is wrong with it.
    """
    try:
        for suffix in _SUFFIXES:
            for place in _borrowed(Path(f"{folder}{suffix}"), folder.resolve()):
                return (
                    f"{place}, and what another repository holds is not read under this name; write the "
                    "other's address as 'url', or a copy of this one made by 'git clone'"
                )
    except (OSError, ValueError) as error:
        return f"{folder} cannot be looked through ({error}); correct its permissions"
    return None


def is_away(folder: Path) -> bool:
    """Whether there is nothing where git looks for a local repository."""
    try:
        return not any(Path(f"{folder}{suffix}").exists() for suffix in _SUFFIXES)
    except OSError:  # it is there, or what hides it is
        return False


def _borrowed(git: Path, folder: Path) -> Iterator[str]:
    """Sentences on what a ``.git`` (a folder, or a file that names one) reads elsewhere."""
    real = git.resolve()
    if git.is_symlink() and not real.is_relative_to(folder):
        yield f"{git} is a symbolic link to {real}"
    if (said := _content(real)).startswith("gitdir: "):
        directory = (real.parent / said.removeprefix("gitdir: ")).resolve()
        if not directory.is_relative_to(folder) and not _knows(directory, real):
            yield f"{git} names {directory} as its repository"
    else:
        directory = real
    if not directory.is_dir() or not (directory / "HEAD").exists():
        return
    common = directory
    if named := _content(directory / "commondir"):
        common = (directory / named).resolve()
        if not directory.is_relative_to(common):
            yield f"{directory} shares {common}"
    yield from _borrowed_objects(common / "objects")


def _borrowed_objects(objects: Path) -> Iterator[str]:
    lines = _content(objects / "info" / "alternates").split("\n")
    if borrowed := [line for line in lines if line and not line.startswith("#")]:
        yield f"{objects} borrows from {borrowed[0]!r}"
    if objects.is_symlink():
        yield f"{objects} is a symbolic link"
    for folder in (objects, objects / "pack", objects / "info"):
        if not folder.is_dir():
            continue
        with os.scandir(folder) as children:
            yield from (f"{child.path} is a symbolic link" for child in children if child.is_symlink())


def _knows(directory: Path, file: Path) -> bool:
    """Whether the repository names the worktree that names it."""
    named = _content(directory / "gitdir")
    return bool(named) and (directory / named).resolve() == file


def _content(path: Path) -> str:
    """A small regular file as git reads it, less the line ends behind; empty where there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return os.fsdecode(file.read(_LONGEST)).rstrip("\r\n")
