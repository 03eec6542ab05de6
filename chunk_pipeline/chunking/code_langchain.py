"""LangChain's splitters for code, with the sizes of the reference study and exact spans.

The study reads files in text mode, so line ends are line feeds when it cuts. A body is the stored text, which
may be longer than the size by the carriage returns in it. What does not belong here: what a file is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.langchain_spans import DEFAULT_SEPARATORS, recursive_spans_langchain
from chunk_pipeline.chunking.line_ends import UnixText

SIZE = 800
"""Characters that a chunk has at most."""
OVERLAP = 120
"""Characters that a chunk may repeat of the one before."""


class Splitter(NamedTuple):
    """A way of cutting text.

    Attributes:
        separators: Coarsest first.
        size: Characters that a piece has at most, a line end counted as one.
        overlap: Characters that a piece may repeat of the one before.
    """

    separators: tuple[str, ...] = DEFAULT_SEPARATORS
    size: int = SIZE
    overlap: int = OVERLAP

    def spans(self, text: str, stream: Span) -> Iterator[Span]:
        """The spans of the pieces of a stream of the text."""
        inside = text[stream.start : stream.end]
        for span in recursive_spans_langchain(inside, self.size, self.overlap, self.separators):
            yield Span(stream.start + span.start, stream.start + span.end)


PLAIN = Splitter()
"""``RecursiveCharacterTextSplitter``: blank lines, line ends, spaces."""
JAVASCRIPT = Splitter(tuple(RecursiveCharacterTextSplitter.get_separators_for_language(Language.JS)))
"""``RecursiveCharacterTextSplitter.from_language(Language.JS)``: declarations and statements first."""
HTML = Splitter(tuple(RecursiveCharacterTextSplitter.get_separators_for_language(Language.HTML)))
"""``RecursiveCharacterTextSplitter.from_language(Language.HTML)``: tags, and nothing below them."""


def cut_whole(text: str, splitter: Splitter, fallback: str | None = None) -> Iterator[Chunk | Skip]:
    """Cut a text as one stream.

    Args:
        text: The document; where it is blank, a skip is all there is.
        splitter: How.
        fallback: Why it was not cut in another way.
    """
    if not text.strip():
        if text:
            yield Skip(Span(0, len(text)), "blank document")
        return
    unix = UnixText(text)
    spans = splitter.spans(unix.text, Span(0, len(unix.text)))
    yield from chunks_of(text, map(unix.stored, spans), ChunkMetadata(fallback=fallback))


def chunks_of(text: str, spans: Iterable[Span], metadata: ChunkMetadata) -> Iterator[Chunk]:
    """A chunk for each span, with what it repeats of the one before."""
    last = 0
    for span in spans:
        yield Chunk(
            text[span.start : span.end], (span,), overlap=max(0, last - span.start), metadata=metadata
        )
        last = span.end
