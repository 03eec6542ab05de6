"""Route ``markdown_symbol``: an identifier is the query, the blocks of pages that name it the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import Block, mentions
from chunk_pipeline.evaluation.gold.markdown_phrases import Phrase, parse_all, phrases
from chunk_pipeline.evaluation.gold.markdown_title import phrase_query, span_of
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route


class MarkdownSymbol(Route):
    """The 4 most frequent symbols of a page; answered in the pages that it is so frequent in.

    An answer is a heading, fence, list item, table row or paragraph that names the symbol as code.
    """

    name = "markdown_symbol"
    categories = frozenset({"markdown"})
    asks = "Where is this identifier documented or used in an example?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each symbol, in the order of first sight."""
        parsed = parse_all(documents)
        for phrase in phrases(documents, parsed):
            if phrase.kind == "symbol":
                yield phrase_query(self.name, documents, phrase, _spans(documents, parsed, phrase))


def _spans(
    documents: Sequence[Document], parsed: Sequence[Sequence[Block]], phrase: Phrase
) -> tuple[RelevantSpan, ...]:
    return tuple(
        span_of(documents[place], block.start, block.end, symbol)
        for place, symbol in dict.fromkeys(phrase.sources)
        for block in parsed[place]
        if mentions(block, symbol)
    )
