"""Route ``description_cross_language``: a description in one language, its subject in another one answers.

It asks what a person asks who knows an institution from a text in one language and looks for what is written
of it in another. Two are about the same if they have an identifier in common, or if their paths differ only
in the language. The file of the query's own language is in the index as well and holds the query word for
word: it ranks above the answer without being one, which holds for all strategies and models alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.descriptions import Description, descriptions
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route
from chunk_pipeline.evaluation.gold.translations import differ

MOST_SHARING = 100
"""What more descriptions than these have in common does not tell what they are about."""


class DescriptionCrossLanguage(Route):
    """The first sentences (15 to 300 characters) of instances, pages and documents with a counterpart."""

    name = "description_cross_language"
    categories = frozenset({"yaml_instance", "website", "document"})
    asks = "Where is the institution that is described here described in another language?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries in the order of files: one for each category and language that answers.

        Of equal texts in several files the first asks.
        """
        described = [each for document in documents for each in descriptions(document)]
        found: dict[tuple[str, str, str], GoldQuery] = {}
        for asking, sharing in zip(described, _sharing(described), strict=True):
            for (category, language), answers in sorted(_answers(asking, sharing).items()):
                languages = f"{asking.language}-{language}"
                query = GoldQuery(
                    query=asking.text,
                    route=self.name,
                    repository=asking.document.repository,
                    path=asking.document.path,
                    category=category,
                    relevant=tuple(answers),
                    languages=languages,
                )
                known = found.setdefault((asking.text, category, languages), query)
                relevant = tuple(dict.fromkeys((*known.relevant, *query.relevant)))
                found[asking.text, category, languages] = replace(known, relevant=relevant)
        yield from found.values()


def _sharing(described: Sequence[Description]) -> Iterator[list[Description]]:
    """For each description those that are about the same, in the order of files."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, each in enumerate(described):
        for mark in _marks(each):
            places[mark].append(place)
    for each in described:
        shared = {
            place for mark in _marks(each) if len(places[mark]) <= MOST_SHARING for place in places[mark]
        }
        yield [described[place] for place in sorted(shared)]


def _marks(each: Description) -> list[Hashable]:
    """What tells that two descriptions are about the same."""
    own: list[Hashable] = [key for key in sorted(each.keys) if key.is_own]
    return [*own, each.base] if each.base else own


def _answers(
    asking: Description, sharing: Sequence[Description]
) -> Mapping[tuple[str, str], list[RelevantSpan]]:
    """Where others are described in other languages, by category and language."""
    found: dict[tuple[str, str], list[RelevantSpan]] = defaultdict(list)
    for each in sharing:
        if each.language != asking.language and differ(asking.text, each.text):
            found[each.document.category, each.language].append(each.answer)
    return found
