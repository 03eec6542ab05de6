"""Route ``document_section``: a heading of a page or a document is the query, its section the answer.

It asks as a person does who has seen the section once. A heading that says little by itself, or that several
files have, is asked for with its page's title: ``Openingstijden: Museum De Zoutkamer``. The heading stands in
the answer word for word, so lexical retrieval is favoured by construction; the title is what it may lack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.headed_sections import Headed, HeadedSection, headed_sections
from chunk_pipeline.evaluation.gold.naming import evenly
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route

FEWEST_LETTERS, LONGEST = 4, 80
"""Letters of a heading at least, and characters at most."""

PER_FILE = 12
"""Headings taken from a file, evenly over it."""

DISTINCTIVE = 3
"""Words of a heading that says by itself what its section is about, if no other file has it."""


class DocumentSection(Route):
    """Headings of 4 letters to 80 characters of pages and documents, at most 12 a file; titles are none."""

    name = "document_section"
    categories = frozenset({"document", "website"})
    asks = "Which section of a page or document has this heading?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for the same words in the files of a category, in the order of first sight.

        Copies and conversions of one text are asked once, and each of them answers.
        """
        read = [(document, headed_sections(document)) for document in documents]
        files = Counter(heading for _, headed in read for heading in _folded(headed))
        found: dict[tuple[str, str], GoldQuery] = {}
        for document, headed in read:
            for same in evenly(_by_heading(headed), PER_FILE):
                query = self._query(document, headed.title, same, files[same[0].heading.casefold()])
                known = found.setdefault((query.query.casefold(), query.category), query)
                relevant = tuple(dict.fromkeys((*known.relevant, *query.relevant)))
                found[query.query.casefold(), query.category] = replace(known, relevant=relevant)
        yield from found.values()

    def _query(self, document: Document, title: str, same: Sequence[HeadedSection], files: int) -> GoldQuery:
        heading = same[0].heading
        is_distinctive = files == 1 and len(heading.split()) >= DISTINCTIVE
        return GoldQuery(
            query=heading if is_distinctive or not title else f"{heading}: {title}",
            route=self.name,
            repository=document.repository,
            path=document.path,
            category=document.category,
            relevant=tuple(
                RelevantSpan(document.repository, document.path, each.start, each.end, each.heading)
                for each in same
            ),
            target=heading,
        )


def _folded(headed: Headed) -> set[str]:
    return {section.heading.casefold() for section in headed.sections}


def _by_heading(headed: Headed) -> list[list[HeadedSection]]:
    """The sections that are asked for; those with equal headings, but for case, together."""
    found: dict[str, list[HeadedSection]] = {}
    for section in headed.sections:
        if len(section.heading) <= LONGEST and sum(map(str.isalpha, section.heading)) >= FEWEST_LETTERS:
            found.setdefault(section.heading.casefold(), []).append(section)
    return list(found.values())
