"""Filter profiles: which files count, as validated data.

The built-in ones are in ``profiles.yaml``; the sources file adds others in the same form. How a profile is
applied to a file does not belong here (``fates``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from chunk_pipeline.conversion.versions import converter
from chunk_pipeline.corpus.categories import CATEGORIES
from chunk_pipeline.corpus.encodings import known_encodings
from chunk_pipeline.corpus.secrets.kinds import AllowedSecret, Policy

RULES_VERSION = 3
"""Raised when ``fates``, ``decoding`` or ``secrets`` give another outcome: no earlier one is then reused."""


def _names(values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        if not value or "/" in value:
            raise ValueError(f"{value!r} is not a file or directory name; write one name without a slash")
    return tuple(sorted(set(values)))


def _suffixes(values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        if not value.startswith(".") or value != value.lower() or value.count(".") != 1 or len(value) < 2:
            raise ValueError(f"{value!r} is not a suffix; write it in lower case with one dot, like '.json'")
    return tuple(sorted(set(values)))


def _labels(values: dict[str, str]) -> dict[str, str]:
    for category in values.values():
        if category not in CATEGORIES:
            raise ValueError(f"there is no category {category!r}; write one of {', '.join(CATEGORIES)}")
    return {suffix: values[suffix] for suffix in _suffixes(tuple(values))}


Names = Annotated[tuple[str, ...], AfterValidator(_names)]
Suffixes = Annotated[tuple[str, ...], AfterValidator(_suffixes)]
Labels = Annotated[dict[str, str], AfterValidator(_labels)]
Encodings = Annotated[tuple[str, ...], AfterValidator(known_encodings)]
Refusal = Literal["drop", "quarantine"]
Positive = Annotated[int, Field(ge=1, strict=True)]


class ProfileError(ValueError):
    """A profile that extends nothing known; ``profile`` is its name."""

    def __init__(self, profile: str, message: str) -> None:
        super().__init__(message)
        self.profile = profile


class Profile(BaseModel):
    """A filter configuration, complete.

    Attributes:
        name: What sources call it.
        cap: Largest size in bytes that is kept.
        max_line: Longest line in characters that is kept.
        whitelist: Suffixes that are kept; ``None`` for all.
        pruned: Names of directories that are left out of the scan, at any depth.
        excluded_suffixes: Suffixes that are dropped.
        excluded_names: File names that are dropped.
        labels: Category of the files of a suffix, instead of what the rules say.
        encodings: Encodings to try after UTF-8 and those of the source.
        refused: What becomes of a file on the whitelist that is empty, too large, or has too long a line.
        secrets: What becomes of credentials: the file is left out (``skip``), they are replaced (``redact``),
            only listed (``flag``), or not looked for (``off``).
        allowed_secrets: What looks like a credential and is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    cap: Positive
    max_line: Positive
    whitelist: Suffixes | None
    pruned: Names
    excluded_suffixes: Suffixes
    excluded_names: Names
    labels: Labels = Field(default_factory=dict)
    encodings: Encodings = ()
    refused: Refusal = "drop"
    secrets: Policy = "redact"
    allowed_secrets: tuple[AllowedSecret, ...] = ()

    def label(self, suffix: str) -> str | None:
        """The category that the profile gives the files of a suffix; ``None`` where the rules decide."""
        return self.labels.get(suffix)

    def tag(self, encodings: Sequence[str] = ()) -> str:
        """``<name>@<8 hexadecimal digits>``: two tags are equal only if files get the same fate under both.

        Args:
            encodings: Fallback encodings of the source, which decide as well.
        """
        converted = converter() if "document" in self.labels.values() else ""
        settings = self.model_dump_json(exclude={"name"})
        content = f"{RULES_VERSION}\n{converted}\n{list(encodings)}\n{settings}"
        return f"{self.name}@{hashlib.sha256(content.encode()).hexdigest()[:8]}"


class ProfileSpec(BaseModel):
    """A profile as written down: what it changes of the one that it extends (``default`` unless said)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    extends: str | None = "default"
    cap: Positive | None = None
    max_line: Positive | None = None
    whitelist: Suffixes | None = None
    pruned: Names | None = None
    also_pruned: Names = ()
    not_pruned: Names = ()
    excluded_suffixes: Suffixes | None = None
    not_excluded_suffixes: Suffixes = ()
    excluded_names: Names | None = None
    labels: Labels | None = None
    encodings: Encodings | None = None
    refused: Refusal | None = None
    secrets: Policy | None = None
    allowed_secrets: tuple[AllowedSecret, ...] | None = None

    def completed(self, name: str, base: Profile | None) -> Profile:
        """The whole profile, on top of the one that it extends."""
        settings: dict[str, Any] = base.model_dump() if base else {"whitelist": None}
        written = self.model_fields_set - {"extends", "also_pruned", "not_pruned", "not_excluded_suffixes"}
        settings.update({field: getattr(self, field) for field in written})
        settings["name"] = name
        pruned = {*(settings.get("pruned") or ()), *self.also_pruned} - set(self.not_pruned)
        excluded = set(settings.get("excluded_suffixes") or ()) - set(self.not_excluded_suffixes)
        return Profile.model_validate(
            settings | {"pruned": tuple(sorted(pruned)), "excluded_suffixes": tuple(sorted(excluded))}
        )


def resolve(specs: Mapping[str, ProfileSpec], known: Mapping[str, Profile]) -> dict[str, Profile]:
    """The known profiles and the written ones, completed.

    Raises:
        ProfileError: One has the name of a known profile, extends one that is not there, or itself, or
            lacks a setting.
    """
    resolved = dict(known)
    for name in specs:
        if name in known:
            raise ProfileError(name, f"{name!r} is built in; choose another name and write 'extends: {name}'")
    for name in specs:
        _resolve(name, specs, resolved, ())
    return resolved


def _resolve(
    name: str, specs: Mapping[str, ProfileSpec], resolved: dict[str, Profile], above: tuple[str, ...]
) -> Profile:
    if name in resolved:
        return resolved[name]
    if name in above:
        raise ProfileError(name, f"extends itself ({' > '.join((*above, name))}); break the circle")
    if name not in specs:
        known = ", ".join(sorted({*resolved, *specs}))
        raise ProfileError(above[-1], f"extends {name!r}, which is not a profile; there are: {known}")
    spec = specs[name]
    base = None if spec.extends is None else _resolve(spec.extends, specs, resolved, (*above, name))
    try:
        resolved[name] = spec.completed(name, base)
    except ValueError as error:
        raise ProfileError(name, f"is not complete, so it must extend another profile: {error}") from error
    return resolved[name]


def _built_in() -> Mapping[str, Profile]:
    text = files("chunk_pipeline.corpus").joinpath("profiles.yaml").read_text(encoding="utf-8")
    specs = TypeAdapter(dict[str, ProfileSpec]).validate_python(yaml.safe_load(text))
    return MappingProxyType(resolve(specs, {}))


BUILT_IN: Mapping[str, Profile] = _built_in()
"""The profiles ``default``, ``js_vue_rag``, ``ingestion`` and ``heritage``."""
