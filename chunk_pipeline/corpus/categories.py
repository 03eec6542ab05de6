"""Categories: the role that a file plays, by ordered rules on its name. The first that applies wins.

The JSON rules are those of the reference study. Tables do not belong here (``labelling``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chunk_pipeline.corpus.paths import file_name, suffix

INDEXED_BY_DEFAULT = (
    "schemas_validation",
    "i18n_translations",
    "docs_meta",
    "test_config",
    "markdown",
    "javascript",
    "vue",
    "text",
    "conversation",
    "website",
    "csv_registry",
    "yaml_instance",
    "document",
)
"""The categories that are chunked and indexed unless the sources file says otherwise."""

_SCHEMA = re.compile(r"\.(?:create|update|get)(?:-[a-z]+)?\.json\Z")
_JAVASCRIPT = frozenset({".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx"})
_MARKDOWN = frozenset({".md", ".markdown"})
_TEXT = frozenset({".txt", ".text", ".rst", ".adoc"})
_LANGUAGES = {
    ".cjs": "javascript",
    ".css": "css",
    ".csv": "csv",
    ".docx": "docx",
    ".htm": "html",
    ".html": "html",
    ".js": "javascript",
    ".json": "json",
    ".jsx": "javascript",
    ".markdown": "markdown",
    ".md": "markdown",
    ".pdf": "pdf",
    ".mjs": "javascript",
    ".py": "python",
    ".sh": "shell",
    ".ts": "typescript",
    ".tsv": "csv",
    ".tsx": "typescript",
    ".text": "text",
    ".txt": "text",
    ".vue": "vue",
    ".xml": "xml",
    ".yaml": "yaml",
    ".yml": "yaml",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A category and the test that its files pass, given ``<repository>/<path>`` in lower case."""

    category: str
    applies: Callable[[str], bool]


def _has_part(name: str, part: str) -> bool:
    return part in name.split("/")


JSON_RULES: tuple[Rule, ...] = (
    Rule("package_tooling", lambda name: file_name(name) == "package.json"),
    Rule("schemas_validation", lambda name: "/schemas/" in name and bool(_SCHEMA.search(name))),
    Rule("i18n_translations", lambda name: "/i18n/" in name),
    Rule("docs_meta", lambda name: _has_part(name, ".vitepress") and file_name(name) == "manifest.json"),
    Rule("docs_data", lambda name: _has_part(name, ".vitepress")),
    Rule("test_config", lambda name: _has_part(name, "test") and _has_part(name, "config")),
    Rule("test_fixtures", lambda name: _has_part(name, "test")),
)
"""Rules for ``.json``; what none takes is ``other``."""

OTHER_RULES: tuple[Rule, ...] = (
    Rule("markdown", lambda name: suffix(name) in _MARKDOWN),
    Rule("text", lambda name: suffix(name) in _TEXT),
    Rule("javascript", lambda name: suffix(name) in _JAVASCRIPT),
    Rule("vue", lambda name: suffix(name) == ".vue"),
)
"""Rules for all other files; what none takes is ``other``."""

HERITAGE: tuple[str, ...] = ("conversation", "csv_registry", "document", "website", "yaml_instance")
"""Categories that no rule gives: a profile's ``labels`` do."""

CATEGORIES: tuple[str, ...] = (*(rule.category for rule in (*JSON_RULES, *OTHER_RULES)), *HERITAGE, "other")
"""Every category."""


def category(repository: str, path: str, labels: Mapping[str, str] | None = None) -> str:
    """The role of a file.

    Args:
        repository: Name of the source.
        path: Path in it.
        labels: Categories by suffix, as the source's profile has them; they go before the rules.
    """
    if labels and (label := labels.get(suffix(path))):
        return label
    name = f"{repository}/{path}".lower()
    rules = JSON_RULES if suffix(name) == ".json" else OTHER_RULES
    return next((rule.category for rule in rules if rule.applies(name)), "other")


def language(path: str) -> str:
    """The format of a file: ``json``, ``markdown``, …; the suffix itself where it has no better name."""
    return _LANGUAGES.get(suffix(path), suffix(path).removeprefix(".") or "text")
