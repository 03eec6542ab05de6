"""The strategy for registries in CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from chunk_pipeline.chunking.account import Account
from chunk_pipeline.chunking.budgeted import CHARACTERS_PER_TOKEN, BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError
from chunk_pipeline.chunking.facts.defaults import defaults
from chunk_pipeline.chunking.fitted_header import fitted_header
from chunk_pipeline.chunking.registry import register
from chunk_pipeline.chunking.registry_csv.account import account
from chunk_pipeline.chunking.registry_csv.chunks import Measure, row_chunks
from chunk_pipeline.chunking.registry_csv.facts import row_facts
from chunk_pipeline.chunking.registry_csv.layout import find_table
from chunk_pipeline.chunking.registry_csv.mappings import own_columns
from chunk_pipeline.chunking.registry_csv.rows import rows


@register
class CsvRegistry(BudgetedStrategy):
    """One row of a registry, one chunk: ``slot: value`` lines; cut at cells only where a row is too long."""

    name: ClassVar[str] = "csv_registry"
    version: ClassVar[int] = 2
    categories: ClassVar[frozenset[str]] = frozenset({"csv_registry"})
    format: ClassVar[str] = "csv"
    target_tokens: ClassVar[int] = 500
    max_tokens: ClassVar[int] = 1000
    limit: ClassVar[int] = max_tokens * CHARACTERS_PER_TOKEN

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Yield a chunk for each record; header, empty and documentation rows are skips.

        Raises:
            UnparsableError: No known column is found, a quote is never closed, or it is no CSV at all.
        """
        try:
            extra = own_columns(document.attributes)
        except ValueError as error:
            raise UnparsableError(str(error)) from error
        table = find_table(document.text, extra)
        given = defaults(document)
        measure = Measure(self.size, self.target, self.ceiling)
        title = f"{table.mapping.title}, {' '.join(document.name.split())}"
        header = fitted_header((title, table.mapping.title), self.size, self.ceiling)
        for each in rows(document.text, table):
            if isinstance(each, Skip):
                yield each
                continue
            facts = row_facts(document, table, each, given)
            label = " ".join((each.value("preferred_label") or "").split())
            labels = (f"{title}\n{label}", label) if label else ()
            piece_header = fitted_header((*labels, header), self.size, self.ceiling)
            yield from row_chunks(each, facts, header, piece_header, measure)

    def account(self, document: Document, chunks: Sequence[Chunk], skips: Sequence[Skip]) -> Account | None:
        """Rows in the file, and where they are."""
        return account(document.text, chunks, skips, own_columns(document.attributes))
