"""package.json: one unit with what a person would ask about the package.

After the package_tooling rule of the Kalisio JSON-chunking study. What does not belong here: lock files and
version ranges, which are noise to a search and are listed as skips.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from chunk_pipeline.chunking.chunk import Skip, Span
from chunk_pipeline.chunking.json.render import INDENTED, indented_object, merge_spans, render_member
from chunk_pipeline.chunking.json.tree import Node
from chunk_pipeline.chunking.json.unit import Unit, skip

FIELDS = ("name", "description", "version", "scripts")
DEPENDENCIES = ("dependencies", "devDependencies")


def package_units(root: Node, text: str) -> Iterator[Unit | Skip]:
    """The package's unit, then a skip for every field and version range that it leaves out."""
    members: list[str] = []
    spans: list[tuple[int, int]] = []
    skips: list[Skip] = []
    for key in (*FIELDS, *DEPENDENCIES):
        for node in (each for each in root.children if each.key == key):
            if key in DEPENDENCIES and node.kind == "object":
                members.append(_names(node))
                spans += [(each.key_start, each.key_end) for each in (node, *node.children)]
                skips += [
                    Skip(Span(each.start, each.end), "version range of a dependency")
                    for each in node.children
                ]
            else:
                members.append(render_member(node, text, INDENTED, 1))
                spans.append((node.key_start, node.end))
    if members:
        yield Unit(indented_object(members), merge_spans(text, sorted(spans)))
    known = {*FIELDS, *DEPENDENCIES}
    skips += [
        skip(node, "package field that says nothing about use")
        for node in root.children
        if node.key not in known
    ]
    yield from sorted(skips, key=lambda each: each.span)


def _names(dependencies: Node) -> str:
    """``"dependencies": [...]`` with the sorted names, indented at level 1."""
    names = sorted(child.key or "" for child in dependencies.children)
    listed = json.dumps(names, indent=2, ensure_ascii=False).replace("\n", "\n  ")
    return f'"{dependencies.key}": {listed}'
