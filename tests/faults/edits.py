"""Random edits of a source: every kind of change that a person makes to files between two runs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.end_to_end.project import Project
from tests.faults.small_project import SOURCE, write

FOLDERS = ("src/i18n", "src/schemas", "test/config")
"""Each is another category."""

WORDS = ("anchor", "berth", "buoy", "chart", "draught", "ferry", "harbour", "keel", "pilot", "tide")

FEWEST = 3
"""Files that are left alone: a source from which everything is gone is refused, which is tried elsewhere."""

Edit = Callable[[Project, random.Random], str]


def files_of(project: Project) -> list[str]:
    """Paths of the source's files, sorted."""
    root = project.file(SOURCE, "")
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def add(project: Project, chance: random.Random) -> str:
    """A new file."""
    path = _new_path(project, chance)
    write(project, path, _value(chance))
    return path


def change(project: Project, chance: random.Random) -> str:
    """Another value under a name of a file, which is written anew where it was broken."""
    path = _any(project, chance)
    value = _read(project, path)
    value[chance.choice([*value, *WORDS])] = _sentence(chance)
    write(project, path, value)
    return path


def shrink(project: Project, chance: random.Random) -> str:
    """All but the first of a file's names go."""
    path = _any(project, chance)
    value = _read(project, path)
    write(project, path, dict(list(value.items())[:1]) or {"left": "nothing else"})
    return path


def rename(project: Project, chance: random.Random) -> str:
    """A file gets another name in its folder."""
    path = _any(project, chance)
    return _move(project, path, str(Path(path).parent), chance)


def recategorise(project: Project, chance: random.Random) -> str:
    """A file moves to a folder of another category."""
    path = _any(project, chance)
    here = str(Path(path).parent)
    return _move(project, path, chance.choice([each for each in FOLDERS if each != here]), chance)


def delete(project: Project, chance: random.Random) -> str:
    """A file goes, unless few are left."""
    if len(files_of(project)) <= FEWEST:
        return add(project, chance)
    path = _any(project, chance)
    project.file(SOURCE, path).unlink()
    return path


def empty(project: Project, chance: random.Random) -> str:
    """A new file with nothing in it."""
    path = _new_path(project, chance)
    write(project, path, "")
    return path


def break_(project: Project, chance: random.Random) -> str:
    """A new file that is no JSON."""
    path = _new_path(project, chance)
    write(project, path, '{"half": ')
    return path


def duplicate(project: Project, chance: random.Random) -> str:
    """A copy of a file."""
    source, path = _any(project, chance), _new_path(project, chance)
    target = project.file(SOURCE, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(project.file(SOURCE, source).read_bytes())
    return path


EDITS: tuple[Edit, ...] = (
    add,
    change,
    change,
    shrink,
    rename,
    recategorise,
    delete,
    empty,
    break_,
    duplicate,
)


def random_edit(project: Project, chance: random.Random, edits: Sequence[Edit] = EDITS) -> str:
    """Make one; returns which, and of what."""
    edit = chance.choice(edits)
    return f"{edit.__name__} {edit(project, chance)}"


def _any(project: Project, chance: random.Random) -> str:
    return chance.choice(files_of(project))


def _new_path(project: Project, chance: random.Random) -> str:
    return f"{chance.choice(FOLDERS)}/{chance.choice(WORDS)}-{chance.randrange(1000)}.json"


def _move(project: Project, path: str, folder: str, chance: random.Random) -> str:
    target = project.file(SOURCE, f"{folder}/{chance.choice(WORDS)}-{chance.randrange(1000)}.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    project.file(SOURCE, path).replace(target)
    return path


def _read(project: Project, path: str) -> dict[str, Any]:
    try:
        value = json.loads(project.file(SOURCE, path).read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return dict(value)


def _value(chance: random.Random) -> dict[str, object]:
    names = chance.sample(WORDS, chance.randint(1, 4))
    return {
        name: {"label": _sentence(chance)} if chance.random() < 0.3 else _sentence(chance) for name in names
    }


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(2, 8))).capitalize()
