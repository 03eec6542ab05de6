"""Run every route over the documents: the gold set of a run.

A new route is one class in a file of its own and one entry in ``ROUTES``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.code_to_docs import CodeToDocs
from chunk_pipeline.evaluation.gold.description_cross_language import DescriptionCrossLanguage
from chunk_pipeline.evaluation.gold.docs_to_code import DocsToCode
from chunk_pipeline.evaluation.gold.docs_to_vue import DocsToVue
from chunk_pipeline.evaluation.gold.document_section import DocumentSection
from chunk_pipeline.evaluation.gold.i18n_cross_language import I18nCrossLanguage
from chunk_pipeline.evaluation.gold.i18n_value import I18nValue
from chunk_pipeline.evaluation.gold.identifier_to_row import IdentifierToRow
from chunk_pipeline.evaluation.gold.javascript_symbol import JavascriptSymbol
from chunk_pipeline.evaluation.gold.markdown_link import MarkdownLink
from chunk_pipeline.evaluation.gold.markdown_section import MarkdownSection
from chunk_pipeline.evaluation.gold.markdown_symbol import MarkdownSymbol
from chunk_pipeline.evaluation.gold.markdown_title import MarkdownTitle
from chunk_pipeline.evaluation.gold.query import GoldQuery, Route, gold_table
from chunk_pipeline.evaluation.gold.question_to_answer import QuestionToAnswer
from chunk_pipeline.evaluation.gold.schema_label import SchemaLabel
from chunk_pipeline.evaluation.gold.schema_property import SchemaProperty
from chunk_pipeline.evaluation.gold.vue_component import VueComponent
from chunk_pipeline.retrieval.tokenizer import tokenize

ROUTES: tuple[Route, ...] = (
    I18nValue(),
    SchemaProperty(),
    MarkdownTitle(),
    MarkdownSymbol(),
    MarkdownSection(),
    JavascriptSymbol(),
    VueComponent(),
    IdentifierToRow(),
    DocumentSection(),
    I18nCrossLanguage(),
    QuestionToAnswer(),
    DescriptionCrossLanguage(),
    SchemaLabel(),
    MarkdownLink(),
    DocsToCode(),
    DocsToVue(),
    CodeToDocs(),
)
"""Every route, in the order in which they run: first those that are lexical by construction."""


def mine(documents: Sequence[Document], routes: Sequence[Route] = ROUTES) -> pa.Table:
    """Mine the gold set.

    Args:
        documents: Kept files of any category, in any order; each route reads those of its own categories.
        routes: Routes to run.

    Returns:
        A ``gold_queries`` table. Where a route finds the same words twice in one file, the two are one query
        answered by the spans of both. A query without an answer is left out.
    """
    ordered = sorted(documents, key=lambda document: document.name)
    queries: dict[str, GoldQuery] = {}
    for route in routes:
        of_route = [document for document in ordered if document.category in route.categories]
        for query in route.mine(of_route):
            if not query.relevant:
                continue
            known = queries.get(query.query_id)
            if known is not None:
                relevant = dict.fromkeys((*known.relevant, *query.relevant))
                query = replace(known, relevant=tuple(relevant))
            queries[query.query_id] = query
    texts = {(document.repository, document.path): document.text for document in ordered}
    return gold_table(
        replace(query, lexical_overlap=lexical_overlap(query, texts)) for query in queries.values()
    )


def lexical_overlap(query: GoldQuery, texts: Mapping[tuple[str, str], str]) -> float:
    """Share of the query's distinct terms that are in the answer that holds most of them, from 0 to 1.

    Args:
        query: A query of any route.
        texts: The text of each file that answers it, by repository and path.
    """
    asked = set(tokenize(query.query))
    if not asked:
        return 0.0
    answers = (texts[span.repository, span.path][span.start : span.end] for span in query.relevant)
    return max((len(asked.intersection(tokenize(answer))) for answer in answers), default=0) / len(asked)
