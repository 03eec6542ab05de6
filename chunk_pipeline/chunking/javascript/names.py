"""Names and signatures of JavaScript and TypeScript declarations, for headers and units.

What does not belong here: where to cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chunk_pipeline.chunking.javascript.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST = 60
"""Characters that a signature has at most."""

_SPACES = re.compile(r"\s+")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_FUNCTIONS = frozenset({"function_expression", "arrow_function", "generator_function"})
_CODE = _FUNCTIONS | {"class"}
_HEADED = frozenset(
    {
        "class_declaration",
        "abstract_class_declaration",
        "class",
        "interface_declaration",
        "enum_declaration",
        "internal_module",
        "module",
        "method_definition",
        "function_expression",
        "generator_function",
        "function_declaration",
        "generator_function_declaration",
    }
)
_VALUED = {
    "variable_declarator": ("name", "value"),
    "pair": ("key", "value"),
    "field_definition": ("property", "value"),
    "public_field_definition": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "type_alias_declaration": ("name", "value"),
    "property_signature": ("name", "type"),
}
_NAME_FIELDS = ("name", "key", "property")
_NAME_FIELD = {
    "method_definition": "name",
    "function_declaration": "name",
    "class_declaration": "name",
    "variable_declarator": "name",
    "pair": "key",
}
"""By node type: the field of its name, for those that are many; for others all fields are tried."""
_BARE = frozenset({"property_identifier", "identifier", "shorthand_property_identifier"})


class Name(NamedTuple):
    """A declaration that something stands in.

    Attributes:
        name: What it is called.
        signature: How it is declared, on one line.
    """

    name: str
    signature: str


Element: TypeAlias = "tuple[Node, tuple[Name, ...]]"
"""A part of a list, and the declarations that it is in."""


def scope_of(node: Node, kind: str, field: str, source: Source) -> Name | None:
    """The name of a construct as what is inside its child of that field is told to be in; often none."""
    if kind in _HEADED:
        named = node.child_by_field_name("name")
        return Name(line(source.of(named)), _head(node, source)) if named and field == "body" else None
    if kind in _VALUED and field == _VALUED[kind][1]:
        return _valued(node, *_VALUED[kind], source)
    if kind == "call_expression" and field == "arguments":
        called = _called(node, source)
        return Name(called, called) if called else None
    if kind == "export_statement" and field == "value":
        return Name("default", "export default")
    return None


def name_of(node: Node, source: Source, inner: bool = False) -> str:
    """What a part of a list declares; empty if nothing that a reader looks for.

    Args:
        node: The part.
        source: The script.
        inner: Whether it is inside a declaration: there, nobody looks for variables that hold no function.
    """
    kind = node.type
    if kind.endswith("_statement"):
        return _statement(node, kind, source, inner)
    if kind in _BARE:
        return source.of(node)
    if kind in ("lexical_declaration", "variable_declaration"):
        declared = [each for each in node.named_children if each.type == "variable_declarator"]
        if inner and not any(_is_code(each.child_by_field_name("value")) for each in declared):
            return ""
        return line(", ".join([_bound(each, source) for each in declared]))
    if kind == "ambient_declaration":
        declaration = node.child_by_field_name("declaration") or (node.named_children or [node])[0]
        return name_of(declaration, source) if declaration.type != "statement_block" else "global"
    known = _NAME_FIELD.get(kind)
    for field in (known,) if known else _NAME_FIELDS:
        named = node.child_by_field_name(field)
        if named:
            return line(source.of(named)).strip("'\"")
    return ""


def _statement(node: Node, kind: str, source: Source, inner: bool) -> str:
    if kind == "expression_statement":
        inside = node.named_children
        return _stated(inside[0], source, inner) if inside else ""
    if kind == "import_statement":
        return "imports"
    return _exported(node, source) if kind == "export_statement" else ""


def line(text: str, longest: int = LONGEST) -> str:
    """A text on one line, without comments, cut to a length."""
    if len(text) <= longest and "/" not in text and "  " not in text and text.isprintable():
        return text.strip()  # The way of nearly all.
    if text.isidentifier():
        return text[:longest]
    if "/" in text:
        text = _COMMENT.sub(" ", text)
    text = _SPACES.sub(" ", text).strip()
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _is_code(value: Node | None) -> bool:
    return value is not None and value.type in _CODE


def _exported(node: Node, source: Source) -> str:
    declared = node.child_by_field_name("declaration")
    if declared:
        return name_of(declared, source) or "default"
    return "default" if node.child_by_field_name("value") else "exports"


def _bound(declarator: Node, source: Source) -> str:
    named = declarator.child_by_field_name("name")
    return line(source.of(named), LONGEST // 2) if named else ""


def _stated(expression: Node, source: Source, inner: bool) -> str:
    kind = expression.type
    if inner and kind == "assignment_expression" and not _is_code(expression.child_by_field_name("right")):
        return ""
    while kind == "await_expression" and expression.named_children:
        expression = expression.named_children[0]
        kind = expression.type
    if kind == "assignment_expression":
        left = expression.child_by_field_name("left")
        return line(source.of(left), LONGEST // 2) if left else ""
    if kind == "internal_module":
        named = expression.child_by_field_name("name")
        return source.of(named) if named else ""
    return _called(expression, source) if kind == "call_expression" else ""


def _called(node: Node, source: Source) -> str:
    """A call with a text and then code or an object, as ``describe('text')``; empty for another."""
    arguments = node.child_by_field_name("arguments")
    if not arguments or arguments.type != "arguments":
        return ""
    given = arguments.named_children
    if not given or given[0].type not in ("string", "template_string"):
        return ""
    first, last, function = given[0], given[-1], node.child_by_field_name("function")
    if not function or first.end_byte - first.start_byte > LONGEST:
        return ""
    if last.type != "object" and not _is_code(last):
        return ""
    if function.type == "member_expression" and function.end_byte - function.start_byte > LONGEST // 2:
        function = function.child_by_field_name("property") or function
    if function.end_byte - function.start_byte > LONGEST // 2:
        return ""
    return f"{line(source.of(function))}({line(source.of(first))})"


def _valued(node: Node, name_field: str, value_field: str, source: Source) -> Name | None:
    named, value = node.child_by_field_name(name_field), node.child_by_field_name(value_field)
    if not named or not value:
        return None
    name = line(source.of(named), LONGEST // 2)
    if node.type in ("pair", "property_signature"):
        name = name.strip("'\"")
    if value.type not in _FUNCTIONS:
        return Name(name, name)
    parameters = value.child_by_field_name("parameters") or value.child_by_field_name("parameter")
    shown = line(source.of(parameters)) if parameters else "()"
    return Name(name, line(f"{name}{shown if shown.startswith('(') else f'({shown})'}"))


def _head(node: Node, source: Source) -> str:
    """From the first word that is no decorator up to the body."""
    body = node.child_by_field_name("body")
    first = next((each for each in node.children if each.type not in ("decorator", "comment")), node)
    stop = source.place(body.start_byte if body else node.end_byte)
    start = source.place(first.start_byte)
    return line(source.text[start : min(stop, start + 4 * LONGEST)])
