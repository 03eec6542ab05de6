"""Tables of gold queries, rankings and what they prove."""

from __future__ import annotations

import pyarrow as pa

from chunk_pipeline.warehouse.table import STRATEGY, Partitioning, Table, column

RELEVANT = pa.list_(
    pa.field(
        "item",
        pa.struct(
            [
                pa.field("repository", pa.string(), False),
                pa.field("path", pa.string(), False),
                pa.field("start", pa.int64(), False),
                pa.field("end", pa.int64(), False),
                pa.field("unit", pa.string(), False),
            ]
        ),
        False,
    )
)
GOLD_QUERIES = Table(
    "gold_queries",
    "Queries with the spans that answer them, and the route that mined them.",
    pa.schema(
        [
            column(
                "query_id",
                pa.string(),
                "Digest of route, query, file it was mined from, category and languages.",
            ),
            column("query", pa.string(), "Words a person would type."),
            column("route", pa.string(), "How it was mined."),
            column("repository", pa.string(), "Repository of the file it was mined from."),
            column("path", pa.string(), "File it was mined from: the cluster for intervals."),
            column("category", pa.string(), "Category of the files that answer it."),
            column("relevant", RELEVANT, "Spans that answer it."),
            column("target", pa.string(), "Word or phrase that lines of an answer mention."),
            column(
                "lexical_overlap",
                pa.float64(),
                "Share of the query's distinct terms that are in the answer that holds most of them, 0 to 1.",
            ),
            column(
                "languages",
                pa.string(),
                "Language of the query and of its answers, as nl-en; empty where it is one language "
                "or unknown.",
            ),
        ]
    ),
    key=("query_id",),
    sort=("route", "repository", "path", "query_id"),
    partitioning=Partitioning.WHOLE,
)

RANKINGS = Table(
    "rankings",
    "Best chunks of each retriever for each distinct query.",
    pa.schema(
        [
            STRATEGY,
            column("retriever", pa.string(), "bm25, dense, rrf or convex."),
            column("query", pa.string(), "Query text; joins gold_queries."),
            column("rank", pa.int32(), "Place, from 1."),
            column("chunk_id", pa.string(), "Chunk."),
            column("score", pa.float64(), "Retriever's score, higher is better."),
        ]
    ),
    key=("strategy", "retriever", "query", "rank"),
    sort=("retriever", "query", "rank"),
    partitioning=Partitioning.STRATEGY,
)

_VERDICT = column(
    "verdict", pa.string(), "What a person may conclude; null where it is only a figure.", nullable=True
)

STRUCTURE_METRICS = Table(
    "structure_metrics",
    "How a strategy cuts: counts, sizes, limits kept, integrity, fallbacks, coverage and duplication.",
    pa.schema(
        [
            STRATEGY,
            column("category", pa.string(), "Category, or 'all'."),
            column("metric", pa.string(), "Name of the metric."),
            column("value", pa.float64(), "Its value.", nullable=True),
            column("n", pa.int64(), "How many items it is over."),
        ]
    ),
    key=("strategy", "category", "metric"),
    sort=("strategy", "category", "metric"),
    partitioning=Partitioning.WHOLE,
    committed_with="retrieval_metrics",
)

METRIC_NAMES = (
    "hit@K, mrr, ndcg@10, hit@Ntokens (among the chunks that fit N tokens), span_{recall,precision,iou}@5 "
    "(on characters) or bundle_efficiency@5."
)

RETRIEVAL_METRICS = Table(
    "retrieval_metrics",
    "How well a retriever over a strategy's chunks answers the gold queries.",
    pa.schema(
        [
            STRATEGY,
            column("retriever", pa.string(), "bm25, dense, rrf or convex."),
            column("level", pa.string(), "file or chunk: what must be found."),
            column("category", pa.string(), "Category of the gold, or 'all'."),
            column("route", pa.string(), "Route of the gold, or 'all'."),
            column("metric", pa.string(), METRIC_NAMES),
            column("value", pa.float64(), "Mean over the gold rows."),
            column("low", pa.float64(), "Lower end of the 95% confidence interval."),
            column("high", pa.float64(), "Upper end of the 95% confidence interval."),
            column("n", pa.int64(), "Gold rows."),
            column("n_distinct", pa.int64(), "Distinct queries."),
            _VERDICT,
        ]
    ),
    key=("strategy", "retriever", "level", "category", "route", "metric"),
    sort=("strategy", "retriever", "level", "category", "route", "metric"),
    partitioning=Partitioning.WHOLE,
)

LANGUAGE_METRICS = Table(
    "language_metrics",
    "How well questions in one language find answers in another.",
    pa.schema(
        [
            STRATEGY,
            column("retriever", pa.string(), "bm25, dense, rrf or convex."),
            column("level", pa.string(), "file or chunk: what must be found."),
            column("category", pa.string(), "Category of the gold."),
            column("route", pa.string(), "Route of the gold."),
            column("languages", pa.string(), "Language of the question and of its answers, as nl-en."),
            column("metric", pa.string(), "hit@1 or hit@5."),
            column("value", pa.float64(), "Mean over the gold rows."),
            column("low", pa.float64(), "Lower end of the 95% confidence interval."),
            column("high", pa.float64(), "Upper end of the 95% confidence interval."),
            column("n", pa.int64(), "Gold rows."),
            column("n_distinct", pa.int64(), "Distinct queries."),
        ]
    ),
    key=("strategy", "retriever", "level", "category", "route", "languages", "metric"),
    sort=("strategy", "retriever", "level", "category", "route", "languages", "metric"),
    partitioning=Partitioning.WHOLE,
    committed_with="retrieval_metrics",
)

COMPARISONS = Table(
    "comparisons",
    "Pairs of strategies under one retriever, with the difference and whether it is beyond noise.",
    pa.schema(
        [
            column("left_strategy", pa.string(), "First strategy."),
            column("left_retriever", pa.string(), "Its retriever."),
            column("right_strategy", pa.string(), "Second strategy."),
            column("right_retriever", pa.string(), "Its retriever."),
            column("level", pa.string(), "file or chunk."),
            column("category", pa.string(), "Category of the gold, or 'all'."),
            column("route", pa.string(), "Route of the gold, or 'all'."),
            column("metric", pa.string(), METRIC_NAMES),
            column("difference", pa.float64(), "Right minus left, over distinct queries."),
            column("low", pa.float64(), "Lower end of its 95% interval, clustered by file."),
            column("high", pa.float64(), "Upper end."),
            column("wins", pa.int64(), "Distinct queries where right is better."),
            column("losses", pa.int64(), "Distinct queries where left is better."),
            column("ties", pa.int64(), "Distinct queries with no difference."),
            column("p_value", pa.float64(), "McNemar for hits, sign-flip otherwise."),
            column("p_adjusted", pa.float64(), "After Holm's correction."),
            column(
                "minimum_detectable", pa.float64(), "Smallest difference that this many queries could show."
            ),
            column("n", pa.int64(), "Distinct queries."),
            column("verdict", pa.string(), "better, worse or not distinguishable."),
        ]
    ),
    key=(
        "left_strategy",
        "left_retriever",
        "right_strategy",
        "right_retriever",
        "level",
        "category",
        "route",
        "metric",
    ),
    sort=(
        "left_strategy",
        "left_retriever",
        "right_strategy",
        "right_retriever",
        "level",
        "category",
        "route",
        "metric",
    ),
    partitioning=Partitioning.WHOLE,
    committed_with="retrieval_metrics",
)
