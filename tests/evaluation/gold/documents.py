"""Small documents of every category, and the text of an answer, for the tests of routes."""

from __future__ import annotations

from collections.abc import Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.corpus.categories import category
from chunk_pipeline.evaluation.gold.mining import mine
from chunk_pipeline.evaluation.gold.query import GoldQuery, Route, gold_queries


def file(path: str, text: str, repository: str = "shop") -> Document:
    return Document(repository, path, text, category(repository, path))


def mined(route: Route, *documents: Document) -> list[GoldQuery]:
    return gold_queries(mine(documents, (route,)))


def answers(query: GoldQuery, documents: Sequence[Document]) -> list[str]:
    texts = {(each.repository, each.path): each.text for each in documents}
    return [texts[span.repository, span.path][span.start : span.end] for span in query.relevant]
