"""What a JSON file of each category is made of: the units that strategies C and D turn into chunks.

A category tells what a person looks for in the file: a form field in a schema, a section in a translation.
What does not belong here: headers (the strategies add them) and how a large unit is split.
"""

from __future__ import annotations

from collections.abc import Iterator

from chunk_pipeline.chunking.chunk import Document, Skip, Span, UnparsableError
from chunk_pipeline.chunking.json.lines import parse_json_lines
from chunk_pipeline.chunking.json.package import package_units
from chunk_pipeline.chunking.json.schema import schema_units
from chunk_pipeline.chunking.json.translations import translation_units
from chunk_pipeline.chunking.json.tree import Node, parse_json
from chunk_pipeline.chunking.json.unit import MINIMUM, Unit, pieces

WHOLE = frozenset({"docs_meta", "test_config"})
"""Categories whose files are one unit, verbatim."""


def json_units(document: Document) -> Iterator[Unit | Skip]:
    """The document's units by its category, in order, and what is left out.

    Raises:
        UnparsableError: It is neither JSON nor JSON Lines.
    """
    text = document.text
    if not text.strip():
        yield Skip(Span(0, len(text)), "blank document")
        return
    try:
        root = parse_json(text)
    except UnparsableError:
        records = parse_json_lines(text)
        if records is None:
            raise
        yield from _subtrees(records, text)
        return
    if root.is_container and not root.children:
        yield Skip(Span(root.start, root.end), "empty document")
    else:
        yield from _by_category(document, root)


def _by_category(document: Document, root: Node) -> Iterator[Unit | Skip]:
    text = document.text
    if not root.is_container or document.category in WHOLE:
        yield Unit(text[root.start : root.end], (Span(root.start, root.end),))
    elif root.kind != "object":
        yield from _subtrees(root, text)
    elif document.category == "schemas_validation":
        yield from schema_units(root, text)
    elif document.category == "i18n_translations":
        yield from translation_units(root, text, document.path)
    elif document.category == "package_tooling":
        yield from package_units(root, text)
    else:
        yield from _subtrees(root, text)


def _subtrees(root: Node, text: str) -> Iterator[Unit]:
    return pieces(root.named_children(), text, MINIMUM)
