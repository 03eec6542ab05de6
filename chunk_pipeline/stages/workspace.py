"""What every stage is given: settings, tables, sources, the encoder, and whom to tell about progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chunk_pipeline.chunking.registry import Strategy, select, strategies
from chunk_pipeline.corpus.sources import Source, SourcesFile, load_sources
from chunk_pipeline.embedding.compute import choose_compute
from chunk_pipeline.embedding.encoder import Encoder, load_encoder
from chunk_pipeline.embedding.models import model, model_key
from chunk_pipeline.settings import Compute, Settings
from chunk_pipeline.warehouse.parquet import Warehouse

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many items are done, and how many there are."""


def quiet(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Workspace:
    """Everything that stages share.

    Attributes:
        settings: Where things are.
        progress: Told about long work.
        make_encoder: Loads a model; replaced where encodings are counted.
        asking: Whether stages only say if they have work to do (by ``StaleError``) and do none.
    """

    settings: Settings
    progress: Progress = quiet
    make_encoder: Callable[[str, Compute], Encoder] = load_encoder
    asking: bool = False

    @cached_property
    def warehouse(self) -> Warehouse:
        """The tables."""
        return Warehouse(self.settings.warehouse)

    @property
    def sources(self) -> SourcesFile:
        """The sources file, read anew: it may change while a daemon runs.

        Raises:
            SourcesError: It is missing or not valid; the message names the lines.
        """
        return load_sources(self.settings.sources, [each.name for each in strategies()])

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """The strategies that the sources file asks for, in the order of their names.

        Raises:
            SourcesError: From ``sources``.
        """
        return select(self.sources.strategies)

    def source(self, name: str) -> Source:
        """One source of the sources file.

        Raises:
            KeyError: There is no such source.
        """
        return self.sources.source(name)

    @property
    def cache(self) -> Path:
        """Folder for git mirrors."""
        return self.settings.cache

    @cached_property
    def encoder(self) -> Encoder:
        """The model of the sources file, loaded on first use."""
        return self.make_encoder(self.sources.model, self.settings.compute)

    @property
    def model_key(self) -> str:
        """Key of the model's vectors, without loading it."""
        compute = choose_compute(self.settings.compute).compute
        return model_key(model(self.sources.model), compute)
