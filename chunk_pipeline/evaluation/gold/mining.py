"""Run every route over the documents: the gold set of a run.

A new route is one class in a file of its own and one entry in ``ROUTES``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.i18n_value import I18nValue
from chunk_pipeline.evaluation.gold.query import GoldQuery, Route, gold_table
from chunk_pipeline.evaluation.gold.schema_property import SchemaProperty

ROUTES: tuple[Route, ...] = (I18nValue(), SchemaProperty())
"""Every route, in the order in which they run."""


def mine(documents: Sequence[Document], routes: Sequence[Route] = ROUTES) -> pa.Table:
    """Mine the gold set.

    Args:
        documents: Kept files of any category, in any order; each route reads those of its own categories.
        routes: Routes to run.

    Returns:
        A ``gold_queries`` table. Where a route finds the same words twice in one file, the two are one query
        answered by the spans of both.
    """
    ordered = sorted(documents, key=lambda document: document.name)
    queries: dict[str, GoldQuery] = {}
    for route in routes:
        of_route = [document for document in ordered if document.category in route.categories]
        for query in route.mine(of_route):
            known = queries.get(query.query_id)
            if known is not None:
                relevant = dict.fromkeys((*known.relevant, *query.relevant))
                query = replace(known, relevant=tuple(relevant))
            queries[query.query_id] = query
    return gold_table(queries.values())
