"""The strategy for instances in YAML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.facts.defaults import defaults
from chunk_pipeline.chunking.instance_yaml.chunks import Cutter, between
from chunk_pipeline.chunking.instance_yaml.compose import compose
from chunk_pipeline.chunking.instance_yaml.entities import entities
from chunk_pipeline.chunking.instance_yaml.facts import entity_facts
from chunk_pipeline.chunking.instance_yaml.pieces import Sized
from chunk_pipeline.chunking.registry import register


@register
class YamlInstance(BudgetedStrategy):
    """One entity, one chunk of the file as it is; a large one is cut at its slots."""

    name: ClassVar[str] = "yaml_instance"
    version: ClassVar[int] = 2
    categories: ClassVar[frozenset[str]] = frozenset({"yaml_instance"})
    format: ClassVar[str] = "yaml"
    promises_integrity: ClassVar[bool] = True
    target_tokens: ClassVar[int] = 500
    max_tokens: ClassVar[int] = 1000
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Yield the chunks of each entity; marks, comments and keys between entities are skips.

        Raises:
            UnparsableError: It is not safe YAML, holds no entity, or is a LinkML schema.
        """
        text = document.text
        found = entities(text, compose(text, document.path), document.path)
        given = defaults(document)
        sized = Sized(lambda passage, pointer: self.size(passage), self.target, self.ceiling)
        cutter = Cutter(text, document.name, sized)
        chunks: list[Chunk] = []
        for place, entity in enumerate(found):
            chunks.extend(cutter.chunks(entity, entity_facts(document, entity, place, given)))
        yield from chunks
        yield from between(text, [span for chunk in chunks for span in chunk.spans])
