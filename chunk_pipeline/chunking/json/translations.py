"""Translations: one unit for each section of an i18n file, and one for the labels outside a section.

After the i18n_translations rule of the Kalisio JSON-chunking study. What does not belong here: comparing
languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunk_pipeline.chunking.chunk import ChunkMetadata
from chunk_pipeline.chunking.json.render import INDENTED, render_member
from chunk_pipeline.chunking.json.tree import Node, pointer_to
from chunk_pipeline.chunking.json.unit import Unit, gathered, pieces

SECTION_LIMIT = 1000
"""Indented characters up to which a section stays whole."""

_LANGUAGE = re.compile(r"(?:^|[_.-])([a-z]{2}(?:[-_][A-Z]{2})?)\.json$")


def translation_units(root: Node, text: str, path: str) -> Iterator[Unit]:
    """Units of an i18n file: flat labels first, then the sections in order, large objects in pieces."""
    metadata = ChunkMetadata(language=language_of(path))
    flat = [node for node in root.children if not node.is_container]
    if flat:
        labels = [(node, render_member(node, text, INDENTED, 1)) for node in flat]
        yield gathered(labels, text, metadata=metadata)
    for node in root.children:
        if node.is_container:
            yield from _section(node, text, metadata)


def language_of(path: str) -> str | None:
    """The language that the file's name tells: ``en`` of ``app_en.json``, ``fr-CA`` of ``fr-CA.json``."""
    match = _LANGUAGE.search(path.rsplit("/", 1)[-1])
    return match[1] if match else None


def _section(node: Node, text: str, metadata: ChunkMetadata) -> Iterator[Unit]:
    name = node.key or ""
    if node.kind == "object" and _surely_large(node, text):
        yield from pieces([(name, node)], text, word=name, metadata=metadata)
        return
    member = (node, render_member(node, text, INDENTED, 1))
    section = gathered([member], text, pointer_to("", name), name, metadata)
    if node.kind == "object" and len(section.body) > SECTION_LIMIT:
        yield from pieces([(name, node)], text, word=name, metadata=metadata)
    else:
        yield section


def _surely_large(node: Node, text: str) -> bool:
    """Whether names and strings alone exceed the limit: saves writing a large section only to measure it."""
    if "\\" in text[node.start : node.end]:
        return False  # Escapes may be longer than what is written for them.
    length = 0
    order = [node]
    for each in order:
        for child in each.children:
            length += child.key_end - child.key_start
            if not child.children:
                length += child.end - child.start if child.kind == "string" else 0
        if length > SECTION_LIMIT:
            return True
        order.extend(each.children)
    return False
