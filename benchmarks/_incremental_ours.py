"""The stages of this project, called in the library, as a store of the benchmark.

Each update begins as a run does: with nothing in memory but what was imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas  # noqa: F401  pyarrow imports it with its first table; the others' imports are not timed either
import yaml

from benchmarks._incremental_store import SIZE, CountingEncoder, Row, pieces
from chunk_pipeline.chunking.registry import register, strategies
from chunk_pipeline.chunking.text.strategies import Recursive
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.chunks import chunk_files
from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
from chunk_pipeline.stages.embeddings import embed, post
from chunk_pipeline.stages.indexes import build_bm25_index, build_dense_index
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.releases import publish_release
from chunk_pipeline.warehouse.tables import CHUNKS, DENSE_INDEX

SOURCE = "files"
SUFFIXES = (".js", ".json", ".md", ".vue")


class Pieces(Recursive):
    """The pieces of the benchmark, in place of those of ``recursive``; all else is as there."""

    name = "recursive_pieces"
    categories: ClassVar[frozenset[str]] = frozenset({"text"})
    limit: ClassVar[int] = SIZE
    overlap: ClassVar[int] = 0

    def takes(self, category: str | None, language: str | None) -> bool:
        """Every file, JSON too."""
        return category in self.categories

    def cuts(self, text: str) -> Sequence[tuple[int, int, int]]:
        """Where the pieces stand, one after the other."""
        found, end = [], 0
        for piece in pieces(text):
            start = text.index(piece, end)
            end = start + len(piece)
            found.append((start, end, 0))
        return found


def run_stages(workspace: Workspace, bm25: bool) -> None:
    """Bring the tables up to date, from the folder to the index of vectors, and release them.

    Args:
        workspace: Where they are.
        bm25: Whether to make the postings and the index of words as well.
    """
    for source in workspace.sources.sources:
        scan_source(workspace, source.name)
        filter_source(workspace, source.name)
        label_source(workspace, source.name)
        for strategy in workspace.strategies:
            chunk_files(workspace, source.name, strategy)
            embed(workspace, source.name, strategy)
            if bm25:
                post(workspace, source.name, strategy)
    for strategy in workspace.strategies:
        build_dense_index(workspace, strategy)
        if bm25:
            build_bm25_index(workspace, strategy)
    publish_release(workspace.warehouse)


class WordCounter:
    """Stands for the model's tokenizer, as the encoder does for the model: no other store counts tokens."""

    digest = "words"

    def count(self, text: str) -> int:
        """Words of a text."""
        return len(text.split())

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Words of each text."""
        return [self.count(text) for text in texts]


class Ours:
    """The pipeline's tables, from the folder to the dense index.

    With ``whole`` the tokens are counted by the model's tokenizer and the index of words is made besides.
    """

    def __init__(self, files: Path, place: Path, encoder: CountingEncoder, whole: bool = False) -> None:
        if Pieces.name not in [each.name for each in strategies()]:
            register(Pieces)
        declared = {
            "profiles": {
                "all_text": {
                    "whitelist": None,
                    "excluded_suffixes": [],
                    "excluded_names": [],
                    "pruned": [],
                    "max_line": 1_000_000,
                    "labels": dict.fromkeys(SUFFIXES, "text"),
                }
            },
            "sources": [{"name": SOURCE, "kind": "folder", "path": str(files), "profile": "all_text"}],
            "strategies": [Pieces.name],
            "indexed_categories": ["text"],
        }
        (place / "sources.yaml").write_text(yaml.safe_dump(declared), encoding="utf-8")
        self._place = place
        self._encoder = encoder
        self._whole = whole
        # Vectors are found by the model's key; which compute class a real encoder would choose is no matter.
        encoder.key = self._workspace().model_key

    def _workspace(self) -> Workspace:
        settings = Settings(
            warehouse=str(self._place / "warehouse"),
            sources=self._place / "sources.yaml",
            cache=self._place / "cache",
            dagster_home=self._place / "dagster_home",
            compute="fp32",
        )
        workspace = Workspace(settings, make_encoder=lambda *_: self._encoder)
        return workspace if self._whole else replace(workspace, make_counter=lambda *_: WordCounter())

    def update(self) -> None:
        """Run the stages."""
        run_stages(self._workspace(), bm25=self._whole)

    def rows(self) -> Iterator[Row]:
        """The dense index, with the paths and texts of its chunks, as whoever searches reads them."""
        warehouse = self._workspace().as_released().warehouse
        chunks = warehouse.read(CHUNKS, strategy=Pieces.name)
        columns = (chunks[name].to_pylist() for name in ("chunk_id", "path", "text"))
        known = {chunk_id: (path, text) for chunk_id, path, text in zip(*columns, strict=True)}
        index = warehouse.read(DENSE_INDEX, strategy=Pieces.name)
        flat = index["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        vectors = np.asarray(flat, np.float32).reshape(index.num_rows, -1)
        for chunk_id, vector in zip(index["chunk_id"].to_pylist(), vectors, strict=True):
            yield Row(*known[chunk_id], vector)

    def close(self) -> None:
        """Nothing is open between two updates."""
