"""Resolve what a text calls an entity after it has named it: acronyms, other names, definite short forms.

Texts of one conversation, page or document are resolved together, in their order. Pronouns are left alone:
rules get them wrong too often. What does not belong here: the names of the gazetteer (``recogniser``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol

from chunk_pipeline.chunking.entities.abbreviations import abbreviation_of
from chunk_pipeline.chunking.entities.gazetteer import Entity
from chunk_pipeline.chunking.entities.mention import Mention, ResolvedBy
from chunk_pipeline.chunking.entities.nominals import nominals_in
from chunk_pipeline.chunking.entities.offsets import fold
from chunk_pipeline.chunking.entities.words import NOUNS, letters_of_name

ACRONYM = 0.6
"""Confidence of a name that the text itself has given."""

NOMINAL = 0.4
"""Confidence of a definite short form."""

MOST_NAMES = 200
"""Names that one conversation, page or document can give; more are not taken on."""

_Places = dict[tuple[int, int], tuple[str, ...]]


class CoreferenceResolver(Protocol):
    """Adds mentions that need the texts before them."""

    def resolve(
        self, texts: Sequence[str], found: Sequence[Sequence[Mention]]
    ) -> tuple[tuple[Mention, ...], ...]:
        """All mentions of texts that belong together.

        Args:
            texts: The chunks of one conversation, page or document, in its order.
            found: What a recogniser found in each.

        Returns:
            For each text these mentions and those that were resolved, sorted.
        """
        ...


class NominalResolver:
    """Rules: names defined in brackets, and definite short forms to the latest entity of their type.

    Of an ambiguous name all entities are taken on, the confidence shared out among them.
    """

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._letters = {each.entity_id: _letters(each) for each in entities}

    def resolve(
        self, texts: Sequence[str], found: Sequence[Sequence[Mention]]
    ) -> tuple[tuple[Mention, ...], ...]:
        """All mentions of texts that belong together; see ``CoreferenceResolver``."""
        state = _State(self._letters)
        return tuple(
            tuple(sorted([*mentions, *state.added(text, mentions)]))
            for text, mentions in zip(texts, found, strict=True)
        )


def _letters(entity: Entity) -> frozenset[str]:
    own = {letter for letter in entity.custodian_type if letter in NOUNS}
    return frozenset(own.union(*(letters_of_name(fold(name)) for name in entity.names)))


@dataclass(slots=True)
class _State:
    """What the texts so far have named: the latest entities by letter, and names given to entities."""

    letters: Mapping[str, frozenset[str]]
    latest: dict[str, tuple[str, ...]] = field(default_factory=dict)
    given: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def added(self, text: str, mentions: Sequence[Mention]) -> list[Mention]:
        """The mentions that the rules add to one text."""
        named = _by_place(mentions)
        short = list(_disjoint(self._given_names(text, named), named))
        everything = {**named, **_by_place(short)}
        return short + list(self._nominals(text, everything))

    def _given_names(self, text: str, named: _Places) -> Iterator[Mention]:
        """Names that this text or one before has given: from where it gives them, or all over this text."""
        begins = dict.fromkeys(self.given, 0)
        for (start, end), entities in sorted(named.items()):
            given = abbreviation_of(text, start, end)
            if given is not None and (given.name in self.given or len(self.given) < MOST_NAMES):
                self.given[given.name] = entities
                begins.setdefault(given.name, given.start)
        for name, begin in begins.items():
            if name not in text:
                continue
            for match in re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])").finditer(text, begin):
                yield from _mentions(text, match.span(), self.given[name], "acronym", ACRONYM)

    def _nominals(self, text: str, named: _Places) -> Iterator[Mention]:
        """Definite short forms, each of the latest entities of its letter that are named before it."""
        places = deque(sorted(named))
        for nominal in nominals_in(text):
            while places and places[0][0] < nominal.end:
                self._see(named[places[0]])
                if places[0][1] > nominal.start:
                    break
                places.popleft()
            else:
                entities = self.latest.get(nominal.letter, ())
                yield from _mentions(text, (nominal.start, nominal.end), entities, "nominal", NOMINAL)
        for place in places:
            self._see(named[place])

    def _see(self, entities: tuple[str, ...]) -> None:
        for letter in sorted({each for entity in entities for each in self.letters.get(entity, ())}):
            of_letter = tuple(each for each in entities if letter in self.letters.get(each, ()))
            self.latest[letter] = of_letter


def _by_place(mentions: Iterable[Mention]) -> _Places:
    ordered = sorted(mentions)
    grouped = groupby(ordered, key=lambda each: (each.start, each.end))
    return {place: tuple(each.entity_id for each in group) for place, group in grouped}


def _disjoint(mentions: Iterable[Mention], named: _Places) -> Iterator[Mention]:
    """The mentions that touch no named place and none of one another but at the same place."""
    taken = sorted(named)
    last = (-1, -1)
    for each in sorted(mentions, key=lambda each: (each.start, -each.end, each.entity_id)):
        place = (each.start, each.end)
        nearest = bisect_left(taken, (each.end, -1))
        is_free = not nearest or taken[nearest - 1][1] <= each.start
        if is_free and (place == last or each.start >= last[1]):
            yield each
            last = place


def _mentions(
    text: str, place: tuple[int, int], entities: tuple[str, ...], resolved_by: ResolvedBy, confidence: float
) -> Iterator[Mention]:
    start, end = place
    for entity in entities:
        sure = round(confidence / len(entities), 4)
        yield Mention(start, end, text[start:end], entity, resolved_by, sure)
