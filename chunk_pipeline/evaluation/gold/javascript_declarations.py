"""The named declarations of scripts, with their exact spans, for the routes that answer with code.

A declaration's span is the whole statement (``export`` and all) with the comments that stand right above it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.grammars import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_GRAMMARS = {".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx"}
_FUNCTIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "class_declaration", "method_definition"}
)
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function", "class"})
_VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})


class Declaration(NamedTuple):
    """A declaration of a name.

    Attributes:
        name: The identifier.
        start: First character, that of the comments right above included.
        end: Character after the last.
        code: First character behind these comments.
        exported: Whether the statement exports it.
    """

    name: str
    start: int
    end: int
    code: int
    exported: bool


class Offsets:
    """From bytes of UTF-8, as parsers count, to characters of a text."""

    def __init__(self, text: str) -> None:
        self._starts = (
            None
            if text.isascii()
            else list(accumulate((len(c.encode(errors="surrogatepass")) for c in text), initial=0))
        )

    def character(self, byte: int) -> int:
        """The character that begins at a byte."""
        return byte if self._starts is None else bisect_right(self._starts, byte) - 1


def grammar_of(path: str) -> str:
    """The grammar of a script by its name: ``typescript``, ``tsx`` or ``javascript``."""
    return _GRAMMARS.get(PurePosixPath(path).suffix.lower(), "javascript")


def exported(document: Document) -> list[Declaration]:
    """Functions, classes and variables that a script exports where it declares them, in its order."""
    source = document.text.encode(errors="surrogatepass")
    offsets = Offsets(document.text)
    root = parse(grammar_of(document.path), source).root_node
    return [
        each
        for node in root.children
        if node.type == "export_statement"
        for each in _declarations(node, node.child_by_field_name("declaration"), offsets)
    ]


def functions(document: Document) -> list[Declaration]:
    """Every named function, class and method of a script at any depth, exported or not, in its order."""
    source = document.text.encode(errors="surrogatepass")
    offsets = Offsets(document.text)
    root = parse(grammar_of(document.path), source).root_node
    found = []
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.named_children))
        parent = node.parent
        whole = parent if parent is not None and parent.type == "export_statement" else node
        if node.type in _FUNCTIONS or (node.type in _VARIABLES and _holds_function(node)):
            found += list(_declarations(whole, node, offsets))
    return found


def _declarations(whole: Node, declaration: Node | None, offsets: Offsets) -> Iterator[Declaration]:
    """One for each name that a declaration gives; a variable's is the whole statement, as it is one thing."""
    if declaration is None:
        return
    if declaration.type in _VARIABLES:
        names = [each.child_by_field_name("name") for each in declaration.named_children]
    else:
        names = [declaration.child_by_field_name("name")]
    start, code, end = (
        offsets.character(byte) for byte in (_first_comment(whole), whole.start_byte, whole.end_byte)
    )
    for name in names:
        if name is not None and name.text is not None and not name.named_child_count:
            yield Declaration(
                name.text.decode(errors="replace"), start, end, code, whole.type == "export_statement"
            )


def _holds_function(declaration: Node) -> bool:
    values = (each.child_by_field_name("value") for each in declaration.named_children)
    return any(value is not None and value.type in _FUNCTION_VALUES for value in values)


def _first_comment(node: Node) -> int:
    """Where the comments right above a statement begin; one at the end of a line of code is none."""
    first, above = node, node.prev_sibling
    while above is not None and above.type == "comment" and above.end_point[0] + 1 >= first.start_point[0]:
        before = above.prev_sibling
        if before is not None and before.end_point[0] == above.start_point[0]:
            break
        first, above = above, before
    return first.start_byte
