"""Route ``markdown_title``: a page's title is the query, the heading and what it says first the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import Block, lead, plain, section
from chunk_pipeline.evaluation.gold.markdown_phrases import Phrase, parse_all, phrases
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route


class MarkdownTitle(Route):
    """Titles of 5 characters or more; where other pages have a section of that name, it answers as well."""

    name = "markdown_title"
    categories = frozenset({"markdown"})
    asks = "Where is the page of this title?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each title, in the order of first sight."""
        parsed = parse_all(documents)
        for phrase in phrases(documents, parsed):
            if phrase.kind == "title":
                yield phrase_query(self.name, documents, phrase, headed_spans(documents, parsed, phrase))


def headed_spans(
    documents: Sequence[Document], parsed: Sequence[Sequence[Block]], phrase: Phrase
) -> tuple[RelevantSpan, ...]:
    """What stands under the headings that have a phrase's text, in each of its sources once.

    Of a heading of level 1 that is the heading and what it says first, of any other its section.
    """
    spans = []
    for place, _ in dict.fromkeys(phrase.sources):
        blocks = parsed[place]
        for heading, block in enumerate(blocks):
            if block.level and plain(block.text).lower() == phrase.text.lower():
                start, end = section(blocks, heading)
                if block.level == 1:
                    end = max([block.end, *(each.end for each in lead(blocks, heading))])
                spans.append(span_of(documents[place], start, end, plain(block.text)))
    return tuple(dict.fromkeys(spans)) or _front_matter(documents, phrase)


def phrase_query(
    route: str, documents: Sequence[Document], phrase: Phrase, relevant: tuple[RelevantSpan, ...]
) -> GoldQuery:
    """A query of a phrase's own words, mined from its first source."""
    first = documents[phrase.sources[0][0]]
    return GoldQuery(
        query=phrase.text,
        route=route,
        repository=first.repository,
        path=first.path,
        category=first.category,
        relevant=relevant,
        target=phrase.text,
    )


def span_of(document: Document, start: int, end: int, unit: str) -> RelevantSpan:
    """A stretch of a document as an answer."""
    return RelevantSpan(document.repository, document.path, start, end, unit)


def _front_matter(documents: Sequence[Document], phrase: Phrase) -> tuple[RelevantSpan, ...]:
    """Where the title is the front matter's only: the words there."""
    document = documents[phrase.sources[0][0]]
    start = document.text.index(phrase.text)
    return (span_of(document, start, start + len(phrase.text), phrase.text),)
