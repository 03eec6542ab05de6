from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.arrays import Vectors, to_arrow, to_numpy
from chunk_pipeline.embedding.vector_store import Embedded, embed_chunks, missing_texts
from chunk_pipeline.embedding.vectors import EncoderError, Progress
from chunk_pipeline.warehouse.tables import VECTORS, with_dimension

KEY = "small@0+fp32"
DIMENSION = 4


@dataclass
class DigestEncoder:
    """Unit vectors made from a text's digest; remembers what it was asked for."""

    key: str = KEY
    dimension: int = DIMENSION
    asked: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.asked += texts
        rows = (
            np.array([list(bytes.fromhex(digest(text))[: self.dimension]) for text in texts], np.float32) + 1
        )
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def _chunks(texts: Sequence[str]) -> pa.Table:
    return pa.table(
        {
            "text": pa.array(texts, pa.large_string()),
            "text_sha256": pa.array([digest(text) for text in texts], pa.string()),
        }
    )


def _embed(
    texts: Sequence[str], encoder: DigestEncoder, known: Sequence[pa.Table] = (), key: str = KEY
) -> Embedded:
    return embed_chunks(_chunks(texts), lambda: encoder, key, iter(known), "s", "r", DIMENSION)


def test_the_table_holds_each_distinct_text_once_sorted_by_digest() -> None:
    embedded = _embed(["b", "a", "b", ""], DigestEncoder())
    assert embedded.vectors.schema == with_dimension(VECTORS, DIMENSION)
    assert embedded.vectors["text_sha256"].to_pylist() == sorted(digest(text) for text in ("a", "b", ""))
    assert (embedded.n_encoded, embedded.n_reused) == (3, 0)
    assert set(embedded.vectors["model"].to_pylist()) == {KEY}


def test_nothing_missing_loads_no_model() -> None:
    first = _embed(["a", "b"], DigestEncoder())

    def never() -> DigestEncoder:
        raise AssertionError("the model was loaded")

    again = embed_chunks(_chunks(["b", "a"]), never, KEY, [first.vectors], "s", "r", DIMENSION)
    assert again.vectors.equals(first.vectors)
    assert (again.n_encoded, again.n_reused) == (0, 2)


def test_only_changed_texts_are_encoded_and_gone_ones_disappear() -> None:
    first = _embed(["a", "b", "gone"], DigestEncoder())
    encoder = DigestEncoder()
    second = _embed(["a", "new", "b"], encoder, [first.vectors])
    assert encoder.asked == ["new"]
    assert second.vectors.equals(_embed(["new", "b", "a"], DigestEncoder()).vectors)


def test_vectors_of_another_key_are_not_used() -> None:
    other = _embed(["a"], DigestEncoder(key="other"), key="other").vectors
    encoder = DigestEncoder()
    assert _embed(["a"], encoder, [other]).n_encoded == 1
    assert missing_texts(_chunks(["a"]), [other], KEY) == ([digest("a")], ["a"])
    assert missing_texts(_chunks(["a"]), [other], "other") == ([], [])


def test_stored_tables_are_read_only_while_something_is_missing() -> None:
    known = iter([_embed(["a", "b"], DigestEncoder()).vectors, "not a table"])
    embedded = embed_chunks(_chunks(["a"]), DigestEncoder, KEY, known, "s", "r", DIMENSION)
    assert embedded.n_reused == 1


def test_texts_without_a_digest_column_are_digested() -> None:
    chunks = pa.table({"text": ["a query"]})
    embedded = embed_chunks(chunks, DigestEncoder, KEY, [], "gold_queries", "all", DIMENSION)
    assert embedded.vectors["text_sha256"].to_pylist() == [digest("a query")]


def test_no_chunks_give_an_empty_table() -> None:
    embedded = _embed([], DigestEncoder())
    assert embedded.vectors.num_rows == 0
    assert embedded.vectors.schema == with_dimension(VECTORS, DIMENSION)


def test_an_encoder_of_another_space_is_refused() -> None:
    with pytest.raises(EncoderError, match="is other of width 4, but small@0"):
        _embed(["a"], DigestEncoder(key="other"))


def test_vectors_that_do_not_fit_are_refused() -> None:
    ragged = pa.array([[1.0, 0.0], [1.0]], pa.list_(pa.float32()))
    with pytest.raises(ValueError, match="vectors are list"):
        to_numpy(ragged, 2)
    with pytest.raises(ValueError, match="1 vectors are null"):
        to_numpy(pa.array([[1.0], None], pa.list_(pa.float32(), 1)), 1)


def test_vectors_move_without_a_copy() -> None:
    matrix = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    column = to_arrow(matrix)
    assert np.shares_memory(to_numpy(column, 3), matrix)
    assert np.array_equal(to_numpy(column.slice(2), 3), matrix[2:])


TEXTS = st.lists(st.sampled_from([f"text {number}" for number in range(12)]), max_size=20)


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS)
def test_an_incremental_table_equals_one_from_scratch(before: list[str], after: list[str]) -> None:
    known = _embed(before, DigestEncoder()).vectors
    encoder = DigestEncoder()
    incremental = _embed(after, encoder, [known])
    assert incremental.vectors.equals(_embed(after, DigestEncoder()).vectors)
    assert sorted(encoder.asked) == sorted(set(after) - set(before))
