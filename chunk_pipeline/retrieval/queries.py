"""The vectors of some queries, each by every model that made the vectors of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunk_pipeline.embedding.arrays import Vectors


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """Vectors of the same queries in the same order, by model.

    Attributes:
        by_model: Unit-length vectors of shape (queries, dimension) by model key; dimensions may differ.
        n: Number of queries.
    """

    by_model: Mapping[str, Vectors]
    n: int

    def __post_init__(self) -> None:
        """Hold all to the same number of queries.

        Raises:
            ValueError: They differ.
        """
        wrong = {key: len(each) for key, each in self.by_model.items() if len(each) != self.n}
        if wrong:
            raise ValueError(f"{self.n} queries, but vectors of {wrong}; encode the queries by every model")

    @classmethod
    def of(cls, model: str, vectors: Vectors) -> QueryVectors:
        """Vectors of one model."""
        return cls({model: vectors}, len(vectors))

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: slice | Sequence[int]) -> QueryVectors:
        """Some of the queries."""
        n = len(range(self.n)[rows]) if isinstance(rows, slice) else len(rows)
        picked = rows if isinstance(rows, slice) else list(rows)
        return QueryVectors({key: vectors[picked] for key, vectors in self.by_model.items()}, n)
