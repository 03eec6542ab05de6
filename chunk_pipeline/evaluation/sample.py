"""The gold rows as a statistician sees them: distinct queries, how often each counts, and their clusters.

Rows are not independent. A query mined from two files is two rows with one ranking, so intervals and tests
are over **distinct queries**. Queries mined from one file share its words, so where a test allows it they are
resampled by **cluster**: files are in one cluster if a query was mined from both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.intervals import Int
from chunk_pipeline.evaluation.judgements import Bool
from chunk_pipeline.evaluation.ranking_metrics import Float

ALL = "all"
"""The category, or the route, that stands for all of them."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The distinct queries of some gold rows.

    Attributes:
        rows: Which gold rows it holds, shape (rows of the table,).
        query: Distinct query of each row held, shape (held,).
        count: Rows of each distinct query, shape (queries,).
        cluster: Cluster of each distinct query, from 0, shape (queries,).
    """

    rows: Bool
    query: Int
    count: Int
    cluster: Int

    @property
    def n_rows(self) -> int:
        """Gold rows held."""
        return len(self.query)

    @property
    def n_queries(self) -> int:
        """Distinct queries."""
        return len(self.count)

    def by_query(self, values: Float) -> Float:
        """Mean of each distinct query's rows: (rows of the table, m) → (queries, m)."""
        total = np.zeros((self.n_queries, values.shape[1]))
        np.add.at(total, self.query, values[self.rows])
        return total / self.count[:, None]


def sample(gold: pa.Table, rows: Bool, cluster: Int) -> Sample:
    """The sample of some gold rows.

    Args:
        gold: A ``gold_queries`` table.
        rows: Which of its rows, shape (rows of the table,).
        cluster: Cluster of each of its rows, shape (rows of the table,).
    """
    query = _numbers(gold["query"].filter(pa.array(rows)))
    n_queries = int(query.max()) + 1 if len(query) else 0
    _, first = np.unique(query, return_index=True)
    return Sample(
        rows=rows,
        query=query,
        count=np.bincount(query, minlength=n_queries),
        cluster=_renumbered(cluster[rows][first]),
    )


def clusters(gold: pa.Table) -> Int:
    """Cluster of each gold row, from 0 in the order of rows, shape (rows,).

    Two rows are in one cluster when a chain of shared queries and shared files leads from one to the other.
    """
    n_rows = gold.num_rows
    if not n_rows:
        return np.zeros(0, dtype=np.int64)
    query = _numbers(gold["query"])
    file = _numbers(pc.binary_join_element_wise(gold["repository"], gold["path"], "/")) + query.max() + 1
    size = int(file.max()) + 1
    # Imported here: most processes have nothing to measure, and scipy takes a while.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(n_rows), (query, file)), shape=(size, size))
    _, component = connected_components(links, directed=False)
    return _renumbered(component[query].astype(np.int64))


def _numbers(column: pa.ChunkedArray) -> Int:
    """Distinct values numbered from 0 in the order of first sight."""
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices, dtype=np.int64)


def _renumbered(labels: Int) -> Int:
    """Labels numbered from 0 in the order of first sight."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    return rank[inverse].astype(np.int64)
