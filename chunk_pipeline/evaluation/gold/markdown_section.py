"""Route ``markdown_section``: the heading of a section is the query, the section the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_phrases import parse_all, phrases
from chunk_pipeline.evaluation.gold.markdown_title import headed_spans, phrase_query
from chunk_pipeline.evaluation.gold.query import GoldQuery, Route


class MarkdownSection(Route):
    """The first 2 headings of a page, of level 2 or 3, that say something and are no title or symbol."""

    name = "markdown_section"
    categories = frozenset({"markdown"})
    asks = "Which section has this heading?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each heading, in the order of first sight."""
        parsed = parse_all(documents)
        for phrase in phrases(documents, parsed):
            if phrase.kind == "section":
                yield phrase_query(self.name, documents, phrase, headed_spans(documents, parsed, phrase))
