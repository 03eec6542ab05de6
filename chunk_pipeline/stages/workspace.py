"""What every stage is given: settings, tables, sources, the encoder, and whom to tell about progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.registry import Strategy, select, strategies
from chunk_pipeline.corpus.sources import Source, SourcesFile, load_sources
from chunk_pipeline.embedding.budgets import model_budget, narrowest
from chunk_pipeline.embedding.careful import CarefulEncoder
from chunk_pipeline.embedding.compute import choose_compute
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.inputs import embedded_text
from chunk_pipeline.embedding.model_files import installed_models, model_key, own_directory
from chunk_pipeline.embedding.models import Model, model, model_names
from chunk_pipeline.embedding.token_counts import TokenCounter, token_counter
from chunk_pipeline.embedding.vectors import Encoder, Vectors
from chunk_pipeline.isolation.limits import FileLimits
from chunk_pipeline.isolation.process import Isolated
from chunk_pipeline.settings import Compute, Settings
from chunk_pipeline.warehouse.parquet import Warehouse
from chunk_pipeline.warehouse.releases import released
from chunk_pipeline.warehouse.store_format import open_warehouse

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many items are done, and how many there are."""


EncoderFactory = Callable[[str, Compute, Path | None], Encoder]
"""Loads a model by its name, for a compute class, from its own folder or, without one, its package."""

CounterFactory = Callable[[Model, Path | None], TokenCounter]
"""Gives what counts a model's tokens, likewise from a folder or its package."""


def quiet(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Workspace:
    """Everything that stages share.

    Attributes:
        settings: Where things are.
        progress: Told about long work.
        make_encoder: Loads a model; replaced where encodings are counted.
        make_counter: Gives what counts the tokens of encoded texts; replaced together with the model. The
            budgets that strategies cut by are of the tokenizer itself.
        asking: Whether stages only say if they have work to do (by ``StaleError``) and do none.
        accept_empty: Names of sources of which a person said that what vanished is to go: an emptied source
            or a rewritten history is followed.
        tables: Tables to work on; by default those that the settings name, as they are now.
        loaded: Models that were loaded, by their keys; shared with whatever is made from this.
    """

    settings: Settings
    progress: Progress = quiet
    make_encoder: EncoderFactory = load_encoder
    make_counter: CounterFactory = token_counter
    asking: bool = False
    accept_empty: frozenset[str] = frozenset()
    tables: Warehouse | None = None
    loaded: dict[str, Encoder] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def warehouse(self) -> Warehouse:
        """The tables.

        Raises:
            StoreFormatError: A newer release wrote them.
        """
        return open_warehouse(self.settings.warehouse) if self.tables is None else self.tables

    def as_released(self) -> Workspace:
        """The same for who only reads: the tables as of the end of the last run that was whole."""
        return replace(self, tables=released(self.warehouse))

    @cached_property
    def isolated(self) -> Isolated:
        """Where files are worked on that are large, deep or to be converted; its process ends with this."""
        return Isolated(FileLimits(self.settings.file_seconds, self.settings.file_memory_mb))

    @property
    def sources(self) -> SourcesFile:
        """The sources file, read anew: it may change while a daemon runs.

        Raises:
            SourcesError: It is missing or not valid; the message names the lines.
        """
        return load_sources(
            self.settings.sources, [each.name for each in strategies()], model_names(), self._installed
        )

    @cached_property
    def _installed(self) -> frozenset[str]:
        """Names of the models that are on this machine."""
        found = installed_models(self.settings.model_directory)
        return frozenset(each.model.name for each in found if each.problem is None)

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

    def encoder_of(self, name: str) -> Encoder:
        """A model, loaded on first use.

        Raises:
            ModelError: It is not registered or not installed; the message says what to do.
        """
        key = self.key_of(name)
        if key not in self.loaded:
            directory = self._directory(model(name))
            encoder = self.make_encoder(name, self.settings.compute, directory)
            self.loaded[key] = CarefulEncoder(encoder, self.settings.encoder_seconds)
        return self.loaded[key]

    @property
    def encoder(self) -> Encoder:
        """The default model of the sources file, loaded on first use."""
        return self.encoder_of(self.sources.model)

    def passage_vectors(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts as the default model reads passages."""
        default = model(self.sources.model)
        return self.encoder.encode([embedded_text(default, "passage", text) for text in texts])

    def key_of(self, name: str) -> str:
        """Key of a model's vectors, without loading it.

        Raises:
            ModelError: It is not registered, or its files are needed for the key and not there.
        """
        wanted = model(name)
        compute = choose_compute(self.settings.compute).compute
        return model_key(wanted, compute, self._directory(wanted))

    @property
    def model_key(self) -> str:
        """Key of the default model's vectors, without loading it."""
        return self.key_of(self.sources.model)

    @property
    def model_keys(self) -> str:
        """Keys of all models in use, for people and fingerprints."""
        return ", ".join(self.key_of(name) for name in self.sources.models_in_use)

    def model_for(self, source: str, category: str) -> Model:
        """The model that reads a source's chunks of a category."""
        return model(self.sources.model_for(source, category))

    def counter_of(self, wanted: Model) -> TokenCounter:
        """What counts a model's tokens.

        Raises:
            ModelError: The model is not installed.
        """
        return self.make_counter(wanted, self._directory(wanted))

    def budget(self, source: str, categories: Iterable[str]) -> Budget:
        """What a chunk of a source may cost: of all models that read those categories, the narrowest.

        Raises:
            ModelError: A model is not installed.
        """
        sources = self.sources
        names = sorted({sources.model_for(source, category) for category in categories} or {sources.model})
        read = [model(name) for name in names]
        return narrowest([model_budget(each, self._directory(each), sources.context_tags) for each in read])

    def _directory(self, wanted: Model) -> Path | None:
        return own_directory(wanted, self.settings.model_directory)
