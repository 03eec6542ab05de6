"""What a run would do, found by doing all of it but encoding and writing.

The same functions are called in the same order as by the run, on the same tables, so the numbers are those of
the run that follows. Nothing is written but what fetching a git source writes into its mirror.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.corpus.filtering import Filtered, filter_files, scan
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.corpus.snapshot import open_snapshot
from chunk_pipeline.embedding.inputs import embedded_texts
from chunk_pipeline.embedding.models import model
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.evaluation.gold.mining import mine
from chunk_pipeline.stages.catalog import gone
from chunk_pipeline.stages.chunks import bound, cut_files, cut_targets, files_of, stored_texts
from chunk_pipeline.stages.corpus import filtered_before
from chunk_pipeline.stages.current import is_rolled_up
from chunk_pipeline.stages.embeddings import QUERIES
from chunk_pipeline.stages.estimate import estimated_seconds
from chunk_pipeline.stages.known_vectors import KnownVectors, Text
from chunk_pipeline.stages.passages import model_of, passages_of
from chunk_pipeline.stages.planned import FilesPlan, Plan, SourcePlan, StrategyPlan
from chunk_pipeline.stages.refresh import previous
from chunk_pipeline.stages.vanished import refuse_unlike_before
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CONTENTS, FILES, VECTORS


@dataclass(frozen=True, slots=True)
class _Corpus:
    """A source's labelled files as the run would store them, and the contents that are not stored yet."""

    files: pa.Table
    fresh: pa.Table

    def texts(self, workspace: Workspace, repository: str, digests: Collection[str]) -> pa.Table:
        """Rows of ``CONTENTS`` with some digests."""
        known = set(self.fresh["content_sha256"].to_pylist())
        stored = stored_texts(workspace, repository, set(digests) - known)
        return pa.concat_tables([self.fresh, stored.cast(self.fresh.schema)])


def plan(workspace: Workspace, names: Sequence[str]) -> Plan:
    """Plan a run over some sources.

    Args:
        workspace: Whose tables, sources and models.
        names: Names of the sources, in the order of the run.

    Raises:
        SourcesError: The sources file does not load.
        ModelError: A model is not installed: tokens are counted by its tokenizer.
    """
    dropped = gone(workspace)
    known = KnownVectors(workspace.warehouse, [each for table, each in dropped if table == VECTORS])
    corpora: dict[str, _Corpus] = {}
    sources = [_source(workspace, name, known, corpora) for name in names]
    stale = bool(dropped) or not is_rolled_up(replace(workspace, asking=True))
    stale = stale or any(each.files.differ or each.files.read for each in sources)
    stale = stale or any(_changes(each) for each in sources)
    queries, tokens = _queries(workspace, known, corpora) if stale else (0, 0)
    planned = Plan(tuple(sources), len(dropped), queries, tokens, stale, None)
    return replace(planned, seconds=estimated_seconds(planned, workspace.cache))


def _changes(source: SourcePlan) -> bool:
    return any(each.files_chunked or each.chunks_removed for each in source.strategies)


def _source(workspace: Workspace, name: str, known: KnownVectors, corpora: dict[str, _Corpus]) -> SourcePlan:
    try:
        filtered, files = _filtered(workspace, name)
    except SourceUnreachableError as error:
        return SourcePlan(name, error=str(error))
    source = workspace.sources.source(name)
    labels = workspace.sources.profile(source.profile).labels
    corpus = _Corpus(label_files(filtered.files, source, labels), filtered.contents)
    corpora[partition_key(name)] = corpus
    strategies = [_strategy(workspace, name, each, corpus, known) for each in workspace.strategies]
    return SourcePlan(name, files, tuple(strategies))


def _filtered(workspace: Workspace, name: str) -> tuple[Filtered, FilesPlan]:
    """A source's files with their fates, and how they differ from those that are stored."""
    source = workspace.sources.source(name)
    profile = workspace.sources.profile(source.profile)
    snapshot = open_snapshot(source, profile, workspace.cache)
    raw = scan(source, profile, snapshot)
    if name not in workspace.accept_empty:
        refuse_unlike_before(workspace, source, profile, raw, snapshot.id)
    before = filtered_before(workspace, partition_key(name))
    filtered = filter_files(raw, snapshot, source, profile, before, workspace.isolated)
    old, new = (_objects(each.files if each else None) for each in (before, filtered))
    fates = filtered.files
    reasons = Counter(fates["reason"].filter(pc.equal(fates["fate"], "dropped")).to_pylist())
    return filtered, FilesPlan(
        added=tuple(sorted(new.keys() - old.keys())),
        changed=tuple(sorted(path for path in new.keys() & old.keys() if new[path] != old[path])),
        removed=tuple(sorted(old.keys() - new.keys())),
        read=filtered.n_read,
        excluded=tuple(sorted(reasons.items())),
        quarantined=filtered.quarantine.num_rows,
    )


def _objects(files: pa.Table | None) -> dict[str, tuple[str, int]]:
    """What each path holds: object id and size."""
    if files is None:
        return {}
    columns = (files[name].to_pylist() for name in ("path", "object_id", "size"))
    return {path: (object_id, size) for path, object_id, size in zip(*columns, strict=True)}


def _strategy(
    workspace: Workspace, name: str, strategy: Strategy, corpus: _Corpus, known: KnownVectors
) -> StrategyPlan:
    repository = partition_key(name)
    ready = bound(workspace, name, strategy)
    texts_of = partial(corpus.texts, workspace, repository)
    cut = cut_files(workspace, name, ready, files_of(ready, corpus.files), texts_of)
    before = previous(workspace, cut_targets(repository, strategy.name))
    old = set(before[-1]["chunk_id"].to_pylist()) if before else set()
    new = set(cut.chunks["chunk_id"].to_pylist())
    wanted = pa.array(workspace.sources.indexed_categories, pa.string())
    passages = passages_of(workspace, cut.chunks.filter(pc.is_in(cut.chunks["category"], wanted)))
    own = Partition(strategy=strategy.name, repository=repository)
    texts, tokens = _encoded(workspace, own, passages, known)
    return StrategyPlan(
        strategy=strategy.name,
        files_chunked=cut.n_files_chunked,
        files_reused=cut.n_files_reused,
        chunks_added=len(new - old),
        chunks_removed=len(old - new),
        texts_encoded=texts,
        tokens_encoded=tokens,
    )


def _encoded(
    workspace: Workspace, partition: Partition, passages: pa.Table, known: KnownVectors
) -> tuple[int, int]:
    """How many texts a partition would have encoded, and of how many tokens."""
    columns = (passages[name].to_pylist() for name in ("model", "text_sha256", "text"))
    by_digest = {(key, sha256): text for key, sha256, text in zip(*columns, strict=True)}
    missing = known.replace(partition, by_digest)
    return len(missing), sum(_tokens(workspace, key, texts) for key, texts in _by_model(missing, by_digest))


def _by_model(missing: Iterable[Text], texts: dict[Text, str]) -> list[tuple[str, list[str]]]:
    grouped: dict[str, list[str]] = {}
    for text in missing:
        grouped.setdefault(text[0], []).append(texts[text])
    return sorted(grouped.items())


def _tokens(workspace: Workspace, key: str, texts: list[str]) -> int:
    return sum(workspace.counter_of(model_of(workspace, key)).counts(texts))


def _documents(workspace: Workspace, repository: str, corpus: _Corpus) -> Iterator[Document]:
    """The documents of a source (partition key) that gold is mined from."""
    wanted = pa.array(sorted(workspace.sources.indexed_categories), pa.string())
    files = corpus.files.filter(pc.is_in(corpus.files["category"], wanted))
    digests = files["content_sha256"].drop_null().to_pylist()
    return documents_of(files, corpus.texts(workspace, repository, digests))


def _queries(workspace: Workspace, known: KnownVectors, corpora: dict[str, _Corpus]) -> tuple[int, int]:
    """How many gold queries would be encoded, over all models, and of how many tokens."""
    warehouse = workspace.warehouse
    stored = {each.repository: each for each in warehouse.partitions(FILES)}
    for key in stored.keys() - corpora.keys():
        if key in {partition_key(source.name) for source in workspace.sources.sources}:
            own = Partition(repository=key)
            corpora[str(key)] = _Corpus(warehouse.read(FILES, own), CONTENTS.empty())
    if not corpora:
        return 0, 0
    gold = mine([each for key in sorted(corpora) for each in _documents(workspace, key, corpora[key])])
    asked = pa.table({"text": pc.unique(gold["query"])})
    passages = []
    for name in workspace.sources.models_in_use:
        given = embedded_texts(model(name), "query", asked)
        passages.append(given.append_column("model", pa.repeat(workspace.key_of(name), asked.num_rows)))
    return _encoded(workspace, QUERIES, pa.concat_tables(passages), known)
