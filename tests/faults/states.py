"""A project before and after each of its stages, and the system calls by which it gets there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.project import Project
from tests.faults.crashing import NAMED, Call, Calls
from tests.faults.small_project import (
    Step,
    all_steps,
    catalog_version,
    manifests,
    small_project,
    workspace_of,
    write,
)

CHANGES_NOTHING = frozenset({"fsync"})
"""Calls after which the files are what they were before: dying on either side of one is the same."""


@dataclass(frozen=True)
class Stage:
    """A stage's way from one state to the next.

    Attributes:
        name: Its name.
        before: The project as it was before.
        calls: What it does to the files, every moment of every call.
        old: Digests of the manifests before.
        new: Digests of the manifests after.
        catalogs: Versions of the catalog before and after.
        files: Digests of everything that counts, after.
    """

    name: str
    before: Project
    calls: tuple[Call, ...]
    old: Mapping[str, str]
    new: Mapping[str, str]
    catalogs: frozenset[str]
    files: Mapping[str, str]

    def points(self) -> list[Call]:
        """The moments at which to die, each leaving other files than the one before it."""
        found: list[Call] = []
        same = False
        for call in self.calls:
            if call.moment == "after":
                same = call.kind in CHANGES_NOTHING
            elif not (call.moment == "before" and same):
                found.append(call)
        return [*found, self.calls[-1]]

    def telling_points(self) -> list[Call]:
        """Of these, the first of each shape, and what follows each call that gives a file its name."""
        found: list[Call] = []
        shapes: set[tuple[str, str, str]] = set()
        named = False
        for call in self.points():
            shape = (call.kind, call.moment, _kind_of(call.path))
            if named or shape not in shapes or call is self.calls[-1]:
                found.append(call)
            shapes.add(shape)
            named = call.kind in NAMED and call.moment == "before"
        return found


def _kind_of(path: str) -> str:
    """What a path is for: its ending, or the folder that says more."""
    parts = Path(path).parts
    special = [each for each in ("manifests", "reports", "catalog", "releases", ".locks") if each in parts]
    return special[0] if special else "data"


def linked_copy(project: Project, root: Path) -> Project:
    """The project in another folder, sharing the files: none may be written in place, which is tried too."""
    shutil.copytree(project.root, root, symlinks=True, copy_function=_link)
    return Project(root)


def _link(source: str, target: str) -> str:
    os.link(source, target, follow_symlinks=False)
    return target


def edited(project: Project) -> None:
    """Change a value, a name, add a file and take one away: every stage has work."""
    office = {
        "title": "Harbour office of today",
        "berth": {"free": "Free berth", "taken": "Occupied berth"},
    }
    write(project, "src/i18n/en.json", office)
    write(project, "src/i18n/de.json", {"title": "Hafenamt", "berth": {"free": "Liegeplatz frei"}})
    project.file("harbour", "src/schemas/vessel.update.json").unlink()


def stages_of(root: Path, *, edit: bool) -> Iterator[Stage]:
    """Every stage on the way from nothing, or from a finished project that is then edited, to the end."""
    project = small_project(root / "project")
    if edit:
        for step in all_steps().values():
            step(workspace_of(project))
        edited(project)
    for number, (name, step) in enumerate(all_steps().items()):
        before = linked_copy(project, root / f"{number:02}")
        old, catalog = manifests(project), catalog_version(project)
        calls = calls_of(project, step)
        if calls:
            yield Stage(
                name,
                before,
                calls,
                old,
                manifests(project),
                frozenset({catalog, catalog_version(project)}),
                project.digests(),
            )


def calls_of(project: Project, step: Step) -> tuple[Call, ...]:
    """Do a step, and tell by which calls it changed the files."""
    calls: list[Call] = []
    with Calls(project.root / "warehouse", calls.append):
        step(workspace_of(project))
    return tuple(calls)
