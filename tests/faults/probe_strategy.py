"""A strategy whose chunks say its version and its limit, to be raised in a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from chunk_pipeline.chunking import registry
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.json.strategies import JsonCategory
from chunk_pipeline.chunking.json.units import json_units

NAME = "json_probe"


class Probe(JsonCategory):
    """Units under a line that tells the strategy's version and limit."""

    name = NAME
    version = 1

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut as JsonCategory does; the header is another for every version and limit."""
        for unit in json_units(document):
            yield unit if isinstance(unit, Skip) else unit.chunk(f"// version {self.version}, {self.limit}")


@contextmanager
def probe(version: int = 1, limit: int = JsonCategory.limit) -> Iterator[None]:
    """Register the strategy, at a version and a limit, while the block runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Probe, "version", version)
        patch.setattr(Probe, "limit", limit)
        patch.setitem(registry._REGISTRY, NAME, Probe())
        yield
