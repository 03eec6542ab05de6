"""Route ``schema_property``: a form field described in words, answered by the schemas that declare it.

It asks what a developer asks who knows what a field is for and which component shows it. Properties that
every schema has (name, description, …) tell nothing and are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.json.tree import Node, join_pointer
from chunk_pipeline.evaluation.gold.parsed import member, parsed
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route

COMMON = frozenset({"name", "description", "title", "id", "type"})
"""Properties that are in every schema."""

PER_FILE = 3
"""Queries taken from a file."""

_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_WORD = re.compile(r"[\W_]+")


class SchemaProperty(Route):
    """Top-level properties with a component; per file the 3 whose (property, component) is rarest."""

    name = "schema_property"
    categories = frozenset({"schemas_validation"})
    asks = "Which schema declares the form field of this name and component?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries; ties keep the order in which fields are first seen over all files."""
        answers: dict[tuple[str, str], dict[str, RelevantSpan]] = defaultdict(dict)
        sources = {document.name: document for document in documents}
        for document, root in parsed(documents):
            for field, span in _components(document, root):
                answers[field][document.name] = span
        # Fields in the order in which they are first seen in any file: that of ties.
        by_file: dict[str, list[tuple[str, str]]] = {name: [] for name in sources}
        for field, spans in answers.items():
            for name in spans:
                by_file[name].append(field)
        for name, fields in by_file.items():
            for field in sorted(fields, key=lambda each: len(answers[each]))[:PER_FILE]:
                yield GoldQuery(
                    query=f"form field {property_words(field[0])} using {component_words(field[1])}",
                    route=self.name,
                    repository=sources[name].repository,
                    path=sources[name].path,
                    category=sources[name].category,
                    relevant=tuple(answers[field].values()),
                    target=field[0],
                )


def property_words(name: str) -> str:
    """``expiryDuration`` → ``expiry duration``, ``URLField`` → ``url field``."""
    return " ".join(_words(name))


def component_words(component: str) -> str:
    """``form/KTextField`` → ``text field``: last path segment, leading K and one-letter words dropped."""
    return " ".join(word for word in _words(component.rsplit("/", 1)[-1].removeprefix("K")) if len(word) > 1)


def _words(name: str) -> list[str]:
    return _HUMP.sub(" ", _NOT_WORD.sub(" ", name)).lower().split()


def _components(document: Document, root: Node) -> Iterator[tuple[tuple[str, str], RelevantSpan]]:
    """Each top-level property with a component, as (property, component), and the span of its member."""
    properties = member(root, "properties")
    if properties is None or properties.kind != "object":
        return
    for node in properties.children:
        component = _component(document, node)
        if not component or node.key is None or node.key in COMMON:
            continue
        unit = join_pointer(("properties", node.key))
        span = node.member_span()
        relevant = RelevantSpan(document.repository, document.path, span.start, span.end, unit)
        yield (node.key, component), relevant


def _component(document: Document, node: Node) -> str:
    """``field.component`` of a property, or nothing where it is not a string."""
    field = member(node, "field")
    component = member(field, "component") if field else None
    return str(component.value(document.text)) if component and component.kind == "string" else ""
