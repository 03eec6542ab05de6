"""JSON Schemas of forms: one unit says what the schema is, one for each property says what a field is.

After the schemas_validation rule of the Kalisio JSON-chunking study, with care for the keywords that it
does not name. What does not belong here: validation against a schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from chunk_pipeline.chunking.chunk import ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.json.render import INDENTED, INLINE, indented_object, render_member
from chunk_pipeline.chunking.json.tree import Node, pointer_to
from chunk_pipeline.chunking.json.unit import MINIMUM, Unit, gathered, pieces, skip

META = ("$id", "title", "description", "type", "required", "groups")
"""Keywords of the unit that describes the schema, in the order in which it has them."""

META_LIMIT = 1000
"""Characters up to which other keywords join that unit."""


def schema_units(root: Node, text: str) -> Iterator[Unit | Skip]:
    """Units of a schema: meta first, then properties and large other keywords in document order."""
    groups = [node for node in root.children if _has_properties(node)]
    names = {child.key for node in groups for child in node.children}
    known = [node for key in META for node in root.children if node.key == key]
    others: list[Node] = []
    for node in root.children:
        if node.key == "$schema":
            yield skip(node, "dialect declaration")
        elif _only_requires(node, text, names):
            yield skip(node, "combination of property names that have units of their own")
        elif node.key not in META and not _has_properties(node):
            others.append(node)
    members = [(node, render_member(node, text, INDENTED, 1)) for node in known]
    large = _join_small(others, text, members)
    if members:
        yield gathered(members, text)
    for node in sorted(groups + large, key=lambda each: each.start):
        if _has_properties(node):
            yield Skip(Span(node.key_start, node.key_end), "enclosing name of the properties")
            yield from _property_units(node, text)
        else:
            yield from pieces([(node.key or "", node)], text, MINIMUM, word=node.key)


def _has_properties(node: Node) -> bool:
    return node.key == "properties" and node.kind == "object" and bool(node.children)


def _property_units(properties: Node, text: str) -> Iterator[Unit]:
    above = pointer_to("", "properties")
    for node in properties.children:
        name = node.key or ""
        metadata = ChunkMetadata(component=_component(node, text))
        member = (node, render_member(node, text, INDENTED, 1))
        yield gathered([member], text, pointer_to(above, name), name, metadata)


def _join_small(others: list[Node], text: str, members: list[tuple[Node, str]]) -> list[Node]:
    """Add to ``members`` the keywords that leave the meta unit small, one line each; return the rest."""
    large: list[Node] = []
    for node in others:
        member = (node, render_member(node, text, INLINE))
        if len(indented_object(rendered for _, rendered in [*members, member])) <= META_LIMIT:
            members.append(member)
        else:
            large.append(node)
    return large


def _only_requires(node: Node, text: str, names: set[str | None]) -> bool:
    """Whether a combinator only says which properties are needed together: it adds nothing to be found."""
    if node.key not in ("oneOf", "anyOf", "allOf") or node.kind != "array":
        return False
    for option in node.children:
        if option.kind != "object" or [child.key for child in option.children] != ["required"]:
            return False
        required = option.children[0]
        if required.kind != "array" or any(item.kind != "string" for item in required.children):
            return False
        if not names.issuperset(required.value(text)):
            return False
    return bool(node.children)


def _component(spec: Node, text: str) -> str | None:
    """``field.component`` of a property, where it is a string."""
    node: Node | None = spec
    for key in ("field", "component"):
        node = next((child for child in reversed(node.children) if child.key == key), None) if node else None
    return str(node.value(text)) if node and node.kind == "string" else None
