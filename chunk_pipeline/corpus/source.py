"""What a source is: a repository or folder, how it is filtered, and what is indexed of all of them.

Reading them from the sources file is in ``sources``; opening a source is in ``snapshot``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from chunk_pipeline.corpus.categories import INDEXED_BY_DEFAULT
from chunk_pipeline.corpus.encodings import known_encodings
from chunk_pipeline.corpus.git_urls import git_location
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.profiles import BUILT_IN, Profile

_REF = re.compile(r"(?!-)(?!.*(?:\.\.|@\{|//))[^\x00-\x20\x7f~^:?*\[\\]+(?<![./])")


def _checked_name(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise ValueError("has spaces at its ends or control characters; write a plain name")
    partition_key(name)
    return name


def _checked_url(url: str) -> str:
    git_location(url)
    return url


def _checked_ref(ref: str) -> str:
    if not _REF.fullmatch(ref):
        raise ValueError(
            f"{ref!r} is not a branch, tag or commit; write HEAD, a name, 'refs/…' or a full commit id"
        )
    return ref


def _checked_sub_path(sub_path: str) -> str:
    parts = PurePosixPath(sub_path).parts
    if not sub_path.isprintable() or sub_path.startswith("/") or ".." in parts:
        raise ValueError("must be a folder below the root, like 'docs/guide', without '..'")
    return "/".join(parts)


class Source(BaseModel):
    """A repository or folder that is read; its name is the partition.

    Attributes:
        name: Unique name; paths in headers and gold begin with it.
        kind: ``git`` (needs ``url``) or ``folder`` (needs ``path``).
        url: Address or local path of a git repository; hidden when printed, it may hold a password.
        path: The folder.
        ref: Branch, tag, ``HEAD`` or full commit id.
        sub_path: Folder below the root that the source is limited to; paths stay relative to the root.
        depth: Commits of history to fetch; ``None`` for all.
        history: ``linear`` where each new commit follows the ingested one, and another is an error;
            ``rewritten`` for a branch that is pushed by force out of habit.
        profile: Name of its filter profile.
        encodings: Encodings to try after UTF-8.
        metadata: Attributes that every file of it has.
        model: Name of the embedding model of its chunks; the file's where ``None``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1), AfterValidator(_checked_name)]
    kind: Literal["git", "folder"]
    url: Annotated[str, AfterValidator(_checked_url), Field(repr=False)] = ""
    path: Path | None = None
    ref: Annotated[str, AfterValidator(_checked_ref)] = "HEAD"
    sub_path: Annotated[str, AfterValidator(_checked_sub_path)] = ""
    depth: Annotated[int, Field(ge=1, strict=True)] | None = None
    history: Literal["linear", "rewritten"] = "linear"
    profile: str = "default"
    encodings: Annotated[tuple[str, ...], AfterValidator(known_encodings)] = ()
    metadata: dict[str, str] = Field(default_factory=dict)
    model: Annotated[str, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _fields_fit_the_kind(self) -> Source:
        if self.kind == "git" and not self.url:
            raise ValueError("a git source needs 'url'; add it")
        if self.kind == "git" and self.path is not None:
            raise ValueError(
                "a git source has no 'path'; write 'url' for the repository, 'sub_path' below it"
            )
        if self.kind == "folder" and self.path is None:
            raise ValueError("a folder source needs 'path'; add it")
        wrong = self.model_fields_set & {"url", "ref", "depth", "history"}
        if self.kind == "folder" and wrong:
            raise ValueError(f"a folder source has no {', '.join(sorted(wrong))}; remove it")
        return self


class SourcesFile(BaseModel):
    """A sources file, whole and valid.

    Attributes:
        sources: In the order of the file; their names differ.
        profiles: The built-in profiles and the file's own, by name.
        indexed_categories: Categories that are chunked and indexed.
        strategies: Names of the strategies that are run; all that there are where ``None``.
        model: Name of the embedding model where nothing else is said.
        models: Names of the models of some categories.
        context_tags: Whether a chunk is embedded with its type and country before it, ``[Museum] [NL]``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sources: tuple[Source, ...] = ()
    profiles: Mapping[str, Profile] = Field(default_factory=lambda: dict(BUILT_IN))
    indexed_categories: tuple[str, ...] = INDEXED_BY_DEFAULT
    strategies: tuple[str, ...] | None = None
    model: str = "all-MiniLM-L6-v2"
    models: Mapping[str, str] = Field(default_factory=dict)
    context_tags: bool = False

    def model_for(self, source: str, category: str) -> str:
        """The model that reads a source's chunks of a category: the source's own, the category's, the file's.

        A source that left the file has none of its own.
        """
        own = next((each.model for each in self.sources if each.name == source), None)
        return own or self.models.get(category) or self.model

    @property
    def models_in_use(self) -> tuple[str, ...]:
        """Every model that may read a chunk of an indexed category, and the file's, in the order of names."""
        sources = [each.name for each in self.sources]
        read = {self.model_for(name, category) for name in sources for category in self.indexed_categories}
        return tuple(sorted(read | {self.model}))

    def source(self, name: str) -> Source:
        """The source of that name.

        Raises:
            KeyError: There is none; the message lists those there are.
        """
        for source in self.sources:
            if source.name == name:
                return source
        known = ", ".join(source.name for source in self.sources)
        raise KeyError(f"no source {name!r} in the sources file; there are: {known or 'none'}")

    def profile(self, name: str) -> Profile:
        """The profile of that name.

        Raises:
            KeyError: There is none; the message lists those there are.
        """
        if name not in self.profiles:
            raise KeyError(f"no profile {name!r}; there are: {', '.join(sorted(self.profiles))}")
        return self.profiles[name]
