"""What a gold query is: words, the spans of source that answer them, and the route that mined them.

Gold is bound to spans and not to chunks, so that one gold set serves every strategy. How a route finds its
queries does not belong here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import pyarrow as pa

from chunk_pipeline.chunking.chunk import Document, digest
from chunk_pipeline.warehouse.tables import GOLD_QUERIES


@dataclass(frozen=True, slots=True)
class RelevantSpan:
    """A stretch ``[start, end)`` of a file, in characters of the stored text, that answers a query.

    Attributes:
        repository: Name of the source.
        path: Path of the file in it.
        start: First character.
        end: Character after the last.
        unit: Locator in the file: a JSON Pointer (RFC 6901), a heading, an identifier.
    """

    repository: str
    path: str
    start: int
    end: int
    unit: str


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A query with the spans that answer it.

    Attributes:
        query: Words a person would type.
        route: Name of the route that mined it.
        repository: Repository of the file that it was mined from.
        path: That file.
        category: Category of the files that answer it.
        relevant: Spans that answer it, each as good as another, in the order of files.
        target: Word or phrase that lines of an answer mention: an identifier, a title, a value.
        lexical_overlap: Share of the query's distinct terms that are in the answer that holds most of them,
            from 0 to 1; ``mining`` counts it for every route alike.
        languages: Language of the query and of its answers, as ``nl-en``; empty where it is one language or
            unknown.
    """

    query: str
    route: str
    repository: str
    path: str
    category: str
    relevant: tuple[RelevantSpan, ...]
    target: str = ""
    lexical_overlap: float = 0.0
    languages: str = ""

    @property
    def query_id(self) -> str:
        """Digest of route, query, the file it was mined from and what answers it: 32 hexadecimal digits."""
        mined = (self.route, self.query, self.repository, self.path, self.category, self.languages)
        return digest("\x00".join(mined))[:32]


class Route(ABC):
    """A way of mining queries out of the files of some categories.

    Attributes:
        name: The name in tables and reports.
        categories: The categories whose files it reads; they may be more than those that answer.
        asks: What is asked, in one sentence.
        lexical: Whether the queries are words of the answer by construction, which favours lexical retrieval.
    """

    name: ClassVar[str]
    categories: ClassVar[frozenset[str]]
    asks: ClassVar[str]
    lexical: ClassVar[bool]

    @abstractmethod
    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries of these documents; one that does not parse gives none.

        Args:
            documents: Those of the route's categories, in the order of ``<repository>/<path>``.
        """


def united(queries: Iterable[GoldQuery]) -> list[GoldQuery]:
    """One query for the same words, answered by the spans of all, mined from where they are first."""
    found: dict[str, GoldQuery] = {}
    for query in queries:
        known = found.setdefault(query.query, query)
        spans = tuple(dict.fromkeys((*known.relevant, *query.relevant)))
        found[query.query] = replace(known, relevant=spans)
    return list(found.values())


def gold_table(queries: Iterable[GoldQuery]) -> pa.Table:
    """The queries as ``gold_queries`` rows, in that table's order."""
    rows = [{"query_id": each.query_id, **asdict(each)} for each in queries]
    rows.sort(key=lambda row: tuple(str(row[column]) for column in GOLD_QUERIES.sort))
    return pa.Table.from_pylist(rows, schema=GOLD_QUERIES.schema)


def gold_queries(table: pa.Table) -> list[GoldQuery]:
    """The rows of a ``gold_queries`` table, in its order."""
    queries = []
    for row in table.to_pylist():
        del row["query_id"]
        spans = tuple(RelevantSpan(**span) for span in row.pop("relevant"))
        queries.append(GoldQuery(**row, relevant=spans))
    return queries
