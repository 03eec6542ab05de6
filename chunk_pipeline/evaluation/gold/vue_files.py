"""Single-file components as the routes read them: their name, their blocks, and the composables they call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.grammars import parse
from chunk_pipeline.evaluation.gold.javascript_declarations import Offsets
from chunk_pipeline.evaluation.gold.query import RelevantSpan

if TYPE_CHECKING:
    from tree_sitter import Node

_CODE = {"template_element": "template", "script_element": "script"}
_COMPOSABLE = re.compile(r"use[A-Z]\w+\Z")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+\Z")


def component_name(document: Document) -> str:
    """The name of the file without its suffix."""
    return PurePosixPath(document.path).stem


def component_spans(document: Document) -> tuple[RelevantSpan, ...]:
    """The template and the scripts of a component: what it does. Styles and custom blocks are left out."""
    offsets = Offsets(document.text)
    root = parse("vue", document.text.encode(errors="surrogatepass")).root_node
    return tuple(
        RelevantSpan(
            document.repository,
            document.path,
            offsets.character(node.start_byte),
            offsets.character(node.end_byte),
            _CODE[node.type],
        )
        for node in root.children
        if node.type in _CODE
    )


def name_option(document: Document) -> str:
    """The ``name`` option of the exported component where it is in kebab case, or nothing."""
    for script, _ in _scripts(document):
        for node in script.children:
            value = node.child_by_field_name("value") if node.type == "export_statement" else None
            for pair in value.named_children if value is not None and value.type == "object" else ():
                key, text = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is not None and key.text == b"name" and text is not None and text.type == "string":
                    name = (text.text or b"").decode(errors="replace").strip("'\"")
                    return name if _KEBAB.match(name) else ""
    return ""


def composable_calls(document: Document) -> Iterator[tuple[str, RelevantSpan]]:
    """Each call of a ``useXxx`` composable, as its name and the span of its statement, in their order."""
    offsets = Offsets(document.text)
    for script, shift in _scripts(document):
        stack = [script]
        while stack:
            node = stack.pop()
            stack.extend(reversed(node.named_children))
            called = node.child_by_field_name("function") if node.type == "call_expression" else None
            name = (called.text or b"").decode(errors="replace") if called is not None else ""
            if called is not None and called.type == "identifier" and _COMPOSABLE.match(name):
                whole = _statement(node)
                start, end = (offsets.character(shift + byte) for byte in (whole.start_byte, whole.end_byte))
                yield name, RelevantSpan(document.repository, document.path, start, end, name)


def _scripts(document: Document) -> Iterator[tuple[Node, int]]:
    """The tree of each script, and the byte of the file where it begins."""
    source = document.text.encode(errors="surrogatepass")
    for element in parse("vue", source).root_node.children:
        if element.type != "script_element":
            continue
        for raw in element.children:
            if raw.type == "raw_text":
                content = source[raw.start_byte : raw.end_byte]
                grammar = (
                    "typescript"
                    if b'lang="ts"' in source[element.start_byte : raw.start_byte]
                    else "javascript"
                )
                yield parse(grammar, content).root_node, raw.start_byte


def _statement(node: Node) -> Node:
    """The innermost statement that a node is in: a whole declaration where the call is its value."""
    while node.parent is not None and not node.type.endswith(("statement", "declaration")):
        if node.parent.type in {"program", "statement_block", "object"}:
            break
        node = node.parent
    return node
