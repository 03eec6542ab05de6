"""The sources file: validated as a whole, each error with its line, and extended without losing comments.

What a source is is in ``source``; YAML's lines are in ``yaml_lines``.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from chunk_pipeline.corpus.categories import CATEGORIES
from chunk_pipeline.corpus.git_urls import git_location
from chunk_pipeline.corpus.model_choice import choose_models
from chunk_pipeline.corpus.profiles import BUILT_IN, Profile, ProfileError, ProfileSpec, resolve
from chunk_pipeline.corpus.secrets.kinds import AllowedSecret
from chunk_pipeline.corpus.source import Source, SourcesFile
from chunk_pipeline.corpus.yaml_append import append_item
from chunk_pipeline.corpus.yaml_lines import LinedYaml, Location, Problem, read_yaml

__all__ = ["Source", "SourcesError", "SourcesFile", "add_source", "load_sources", "parse_sources"]

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


class SourcesError(ValueError):
    """A sources file that is not valid; the message has one line for each error: ``file:line: key: what``."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        self.path = path
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))
        super().__init__("\n".join(self._line(problem) for problem in self.problems))

    def _line(self, problem: Problem) -> str:
        key = f"{problem.key}: " if problem.key else ""
        return f"{self.path}:{problem.line}: {key}{problem.message}"


class _Written(BaseModel):
    """The file as written, before profiles are completed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sources: tuple[Source, ...] = ()
    profiles: dict[str, ProfileSpec] = Field(default_factory=dict)
    indexed_categories: tuple[str, ...] = SourcesFile.model_fields["indexed_categories"].default
    strategies: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    model: str = Field(default=SourcesFile.model_fields["model"].default, min_length=1)
    models: dict[str, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)
    context_tags: Annotated[bool, Field(strict=True)] = False


def load_sources(
    path: Path,
    strategies: Collection[str] | None = None,
    models: Collection[str] | None = None,
    installed: Collection[str] | None = None,
) -> SourcesFile:
    """Read and validate a sources file.

    Relative paths are relative to its folder; ``${NAME}`` in ``url`` and ``path`` is taken from the
    environment.

    Args:
        path: The file.
        strategies: Names of the strategies that there are; without them the file's are not looked at.
        models: Names of the embedding models that there are; likewise.
        installed: Those of them that are on this machine, to choose where the file names several.

    Raises:
        SourcesError: It cannot be read or is not valid; all errors are listed, each with its line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = Problem(1, "", f"cannot be read ({error.strerror}); create it or name another file")
        raise SourcesError(path, [problem]) from error
    except UnicodeDecodeError as error:
        raise SourcesError(path, [Problem(1, "", "is not UTF-8; save it as UTF-8")]) from error
    return parse_sources(text, path, strategies, models, installed)


def parse_sources(
    text: str,
    path: Path,
    strategies: Collection[str] | None = None,
    models: Collection[str] | None = None,
    installed: Collection[str] | None = None,
) -> SourcesFile:
    """Validate the text of a sources file.

    Args:
        text: YAML.
        path: Where it is or will be: named in errors; its folder is that of relative paths.
        strategies: As in ``load_sources``.
        models: As in ``load_sources``.
        installed: As in ``load_sources``.

    Raises:
        SourcesError: It is not valid.
    """
    read = _read(text)
    if read.problems:
        raise SourcesError(path, read.problems)
    # A copy, since places and models are filled in below.
    data: Any = {} if read.data is None else deepcopy(read.data)
    if not isinstance(data, dict):
        raise SourcesError(path, [Problem(1, "", "must be a mapping with the key 'sources'")])
    data = {key: value for key, value in data.items() if value is not None}
    problems = list(_resolve_places(data, path.parent.absolute(), read))
    problems += choose_models(data, models, installed, read)
    try:
        written = _Written.model_validate(data)
    except ValidationError as error:
        known = {problem.key for problem in problems}
        found = [read.problem(each["loc"], _message(each)) for each in error.errors()]
        raise SourcesError(path, problems + [each for each in found if each.key not in known]) from error
    profiles: Mapping[str, Profile] = BUILT_IN
    try:
        profiles = resolve(written.profiles, BUILT_IN)
    except ProfileError as error:
        problems.append(read.problem(("profiles", error.profile), str(error)))
    else:
        problems += _unknown_profiles(written, profiles, read)
    problems += [
        *_repeated_names(written, read),
        *_unknown_names(written, strategies, read),
        *_unknown_models(written, models, read),
    ]
    if problems:
        raise SourcesError(path, problems)
    return SourcesFile(
        sources=written.sources,
        profiles=profiles,
        indexed_categories=written.indexed_categories,
        strategies=written.strategies,
        model=written.model,
        models=written.models,
        context_tags=written.context_tags,
    )


@lru_cache(maxsize=8)
def _read(text: str) -> LinedYaml:
    """What a text says; a run asks for its sources file hundreds of times. Nobody changes the answer."""
    return read_yaml(text)


def add_source(path: Path, source: Source) -> None:
    """Append a source to the file (made if it is not there), keeping its comments and layout.

    The new text is validated first, then written beside the file, synced and renamed over it.

    Raises:
        SourcesError: The file, or the file with this source, is not valid; it is left as it was.
    """
    text = ""
    if path.exists():
        load_sources(path)
        text = path.read_text(encoding="utf-8-sig")
    entry = source.model_dump(mode="json", exclude_defaults=True)
    try:
        extended = append_item(text, "sources", entry)
    except ValueError as error:
        raise SourcesError(path, [read_yaml(text).problem(("sources",), str(error))]) from error
    parse_sources(extended, path)
    _replace(path, extended)


def _replace(path: Path, text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _resolve_places(data: dict[str, Any], folder: Path, read: LinedYaml) -> Iterator[Problem]:
    """Replace variables and make relative paths absolute, in place."""
    sources = data.get("sources")
    for index, source in enumerate(sources if isinstance(sources, list) else []):
        for key in ("url", "path"):
            value = source.get(key) if isinstance(source, dict) else None
            if not isinstance(value, str):
                continue
            location: Location = ("sources", index, key)
            unset = [name for name in _VARIABLE.findall(value) if name not in os.environ]
            for name in unset:
                yield read.problem(
                    location, f"needs the environment variable {name}, which is not set; set it"
                )
            if not unset:
                source[key] = _absolute(_VARIABLE.sub(lambda match: os.environ[match[1]], value), key, folder)


def _absolute(value: str, key: str, folder: Path) -> str:
    if key == "path":
        return str(folder / value) if value else value
    try:
        local = git_location(value).is_local_path
    except ValueError:  # validation says what is wrong with it
        return value
    return os.path.normpath(folder / value) if local else value


def _repeated_names(written: _Written, read: LinedYaml) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, source in enumerate(written.sources):
        location: Location = ("sources", index, "name")
        if source.name in first:
            where = first[source.name]
            yield read.problem(location, f"{source.name!r} is the name in line {where} too; choose another")
        first.setdefault(source.name, read.line(location))


def _unknown_profiles(
    written: _Written, profiles: Mapping[str, Profile], read: LinedYaml
) -> Iterator[Problem]:
    for index, source in enumerate(written.sources):
        if source.profile not in profiles:
            known = ", ".join(sorted(profiles))
            message = (
                f"there is no profile {source.profile!r}; write one of {known}, or add it under 'profiles'"
            )
            yield read.problem(("sources", index, "profile"), message)


def _unknown_names(
    written: _Written, strategies: Collection[str] | None, read: LinedYaml
) -> Iterator[Problem]:
    """Categories and strategies that there are not."""
    for key, what, names, known in (
        ("indexed_categories", "category", written.indexed_categories, CATEGORIES),
        ("strategies", "strategy", written.strategies, strategies),
    ):
        for index, name in enumerate(names or ()):
            if known is not None and name not in known:
                message = f"there is no {what} {name!r}; write one of {', '.join(known)}"
                yield read.problem((key, index), message)


def _message(error: ErrorDetails) -> str:
    """What is wrong and what to do, from pydantic's error."""
    if error["type"] == "extra_forbidden":
        return f"is not a known key; remove it or write one of {', '.join(_known_keys(error['loc']))}"
    if error["type"] == "missing":
        return "is missing; add it"
    if error["type"] == "string_type":
        return "must be text; put it in quotes"
    return error["msg"].removeprefix("Value error, ")


def _known_keys(location: Location) -> list[str]:
    if "allowed_secrets" in location[:-1]:
        return list(AllowedSecret.model_fields)
    models: dict[str | int, type[BaseModel]] = {"sources": Source, "profiles": ProfileSpec}
    model = models.get(location[0], _Written) if len(location) > 1 else _Written
    return list(model.model_fields)


def _unknown_models(written: _Written, models: Collection[str] | None, read: LinedYaml) -> Iterator[Problem]:
    """Models that there are not, and categories that are given one without being there."""
    named: list[tuple[Location, str | None]] = [(("model",), written.model)]
    for category, name in written.models.items():
        if category not in CATEGORIES:
            message = f"there is no category {category!r}; write one of {', '.join(CATEGORIES)}"
            yield read.problem(("models", category), message)
        named.append((("models", category), name))
    named += [(("sources", index, "model"), source.model) for index, source in enumerate(written.sources)]
    for location, wanted in named:
        if models is not None and wanted is not None and wanted not in models:
            message = f"there is no embedding model {wanted!r}; write one of {', '.join(models)}"
            yield read.problem(location, message)
