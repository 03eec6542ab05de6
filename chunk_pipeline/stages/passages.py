"""What the models are given of a source's chunks and of queries, as the sources file says.

A chunk's model follows from its source and category; its context tag from its facts, where tags are wanted.
What does not belong here: encoding (``embeddings``).
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.inputs import context_tag, embedded_text, embedded_texts
from chunk_pipeline.embedding.models import Model, model
from chunk_pipeline.retrieval.queries import QueryVectors
from chunk_pipeline.stages.corpus import NotMaterializedError
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.table import joined

TAGGED = ("custodian_type", "country_code")
"""The facts that a context tag is made of."""


def passages_of(workspace: Workspace, chunks: pa.Table) -> pa.Table:
    """What is embedded of chunks.

    Args:
        workspace: Whose sources file says which model reads what.
        chunks: Rows of ``CHUNKS``, of any sources.

    Returns:
        A table (chunk_id, model, text, text_sha256, context): ``model`` is the key of the model's vectors,
        the digest that of what is embedded. In the order of the chunks where one model reads them all.
    """
    parts = [
        _passages(workspace, wanted, rows).append_column("model", pa.repeat(key, rows.num_rows))
        for key, wanted, rows in _by_model(workspace, chunks)
    ]
    columns = ["chunk_id", "model", "text", "text_sha256", "context"]
    return joined(parts).select(columns)


def _by_model(workspace: Workspace, chunks: pa.Table) -> Iterator[tuple[str, Model, pa.Table]]:
    """(key, model, its chunks) of each model that reads some, by name; of the default one for no chunks."""
    sources = workspace.sources
    kinds = chunks.group_by(["repository", "category"]).aggregate([])
    columns = (kinds[name].to_pylist() for name in ("repository", "category"))
    reader = {pair: sources.model_for(*pair) for pair in zip(*columns, strict=True)}
    names = sorted(set(reader.values())) or [sources.model]
    if len(names) == 1:
        yield workspace.key_of(names[0]), model(names[0]), chunks
        return
    pairs = list(zip(chunks["repository"].to_pylist(), chunks["category"].to_pylist(), strict=True))
    for name in names:
        mine = pa.array([reader[pair] == name for pair in pairs], pa.bool_())
        yield workspace.key_of(name), model(name), chunks.filter(mine)


def _passages(workspace: Workspace, wanted: Model, chunks: pa.Table) -> pa.Table:
    tags = None
    if workspace.sources.context_tags:
        types, countries = (pc.struct_field(chunks["facts"], name).to_pylist() for name in TAGGED)
        tags = [
            context_tag({"custodian_type": letters, "country_code": country})
            for letters, country in zip(types, countries, strict=True)
        ]
    given = embedded_texts(wanted, "passage", chunks, tags)
    return given.append_column("chunk_id", chunks["chunk_id"])


def model_of(workspace: Workspace, key: str) -> Model:
    """The model in use whose vectors have that key.

    Raises:
        NotMaterializedError: No model of the sources file has: it has changed since.
    """
    for name in workspace.sources.models_in_use:
        if workspace.key_of(name) == key:
            return model(name)
    raise NotMaterializedError(
        f"no model of the sources file makes vectors {key}; run 'chunk-pipeline run' to encode anew"
    )


def encode_query(workspace: Workspace, query: str, keys: tuple[str, ...], context: str = "") -> QueryVectors:
    """A query's vector by each of some models.

    Args:
        workspace: Where the models are.
        query: The question.
        keys: Keys of the models.
        context: Tag of what is asked for; only used where passages are tagged as well.

    Raises:
        NotMaterializedError: A key is of no model of the sources file.
    """
    tag = context if workspace.sources.context_tags else ""
    vectors = {}
    for key in keys:
        wanted = model_of(workspace, key)
        vectors[key] = workspace.encoder_of(wanted.name).encode([embedded_text(wanted, "query", query, tag)])
    return QueryVectors(vectors, 1)


def queries_as_written(workspace: Workspace, queries: list[str], vectors: pa.Table) -> pa.Table:
    """The stored vectors of queries, by the digests of the queries rather than of what was embedded.

    Args:
        workspace: Where the models are.
        queries: The queries.
        vectors: Their ``vectors``, by any models.
    """
    rows = []
    for key in sorted(pc.unique(vectors["model"]).to_pylist()):
        wanted = model_of(workspace, key)
        own = vectors.filter(pc.equal(vectors["model"], key))
        plain = {digest(embedded_text(wanted, "query", query)): digest(query) for query in queries}
        written = [plain.get(each, "") for each in own["text_sha256"].to_pylist()]
        place = own.schema.get_field_index("text_sha256")
        rows.append(own.set_column(place, own.schema.field(place), pa.array(written, pa.string())))
    return joined(rows) if rows else vectors
