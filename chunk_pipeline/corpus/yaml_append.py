"""Appending an item to a list in YAML text: everything that a person wrote stays as it is, comments too."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import yaml


def append_item(text: str, key: str, item: Mapping[str, Any]) -> str:
    """The text with the item at the end of the block list under a top-level key.

    Args:
        text: A YAML document whose top is a mapping, or nothing.
        key: The list's key; added at the end of the document if it is not there.
        item: Plain values.

    Raises:
        ValueError: The list is written in one line with brackets, and not empty.
    """
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    entry = _entry(item)
    found = _find(text, key)
    if found is None:
        return "".join([*lines, f"{key}:\n", textwrap.indent(entry, "  ")])
    name, value = found
    line = name.start_mark.line
    if not isinstance(value, yaml.SequenceNode) or not value.value:  # 'sources:' or 'sources: []'
        if isinstance(value, yaml.SequenceNode):
            lines[line : value.end_mark.line + 1] = [f"{key}:\n"]
        return "".join([*lines[: line + 1], textwrap.indent(entry, "  "), *lines[line + 1 :]])
    if value.flow_style:
        raise ValueError("is a list in brackets; write it as a block, one '- ' line an item")
    indent = " " * value.start_mark.column
    end = _last_line(value) + 1
    return "".join([*lines[:end], textwrap.indent(entry, indent), *lines[end:]])


def _entry(item: Mapping[str, Any]) -> str:
    return yaml.safe_dump([dict(item)], sort_keys=False, allow_unicode=True, width=1000)


def _find(text: str, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    root = yaml.compose(text, yaml.SafeLoader)
    for name, value in root.value if isinstance(root, yaml.MappingNode) else []:
        if name.value == key:
            return name, value
    return None


def _last_line(node: yaml.Node) -> int:
    """The last line (from 0) that holds something of the node; a block's own end is after its comments."""
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        return int(node.end_mark.line) - 1 if node.end_mark.column == 0 else int(node.end_mark.line)
    return int(node.end_mark.line)
