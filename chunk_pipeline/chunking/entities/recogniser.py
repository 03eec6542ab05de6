"""Find entities of a gazetteer by name and by identifier.

Names are compared without case and accents, the leftmost first and of these the longest, on word boundaries.
A name inside an inflected word (``Nationalarchivs``) is not found. What does not belong here: short forms and
acronyms, which need the text before them (``coreference``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from chunk_pipeline.chunking.entities.gazetteer import Entity
from chunk_pipeline.chunking.entities.identity import keys_of, tells_apart
from chunk_pipeline.chunking.entities.mention import Mention, ResolvedBy
from chunk_pipeline.chunking.entities.offsets import Folded, fold, fold_with_offsets
from chunk_pipeline.chunking.entities.words import COMMON
from chunk_pipeline.chunking.facts.identifiers import identifiers_in

SHORTEST = 4
"""Letters and digits of the shortest name or identifier that is looked for."""

MOST_AMBIGUOUS = 5
"""A name of more entities than this is a common word, and not looked for."""

CONFIDENCE: Mapping[ResolvedBy, float] = MappingProxyType({"identifier": 1.0, "name": 0.9, "alias": 0.8})
"""By what it was found; shared out evenly where several entities have the name."""

UNCAPITALISED = 0.6
"""Of a single word without its capital."""

UNKNOWN_IDENTIFIER = 0.8
"""Of a well-formed identifier that no record has; its entity is ``scheme:value``."""

_RANK: Mapping[ResolvedBy, int] = MappingProxyType({"identifier": 0, "name": 1, "alias": 2})


class EntityRecogniser(Protocol):
    """Finds entities in one text, without what stands in others."""

    def mentions(self, text: str) -> Sequence[Mention]:
        """The mentions in a text, sorted; no two overlap unless they are of the same place."""
        ...


class _Found(NamedTuple):
    """A stretch of the source that is a known surface, before overlaps are settled."""

    start: int
    end: int
    resolved_by: ResolvedBy
    entities: tuple[str, ...]
    is_known: bool = True


class GazetteerRecogniser:
    """Looks up every name and identifier of a gazetteer in one pass (Aho and Corasick, 1975)."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        import ahocorasick

        known = tuple(entities)
        self._identifiers = _identifier_index(known)
        self._automaton = ahocorasick.Automaton()
        for surface, entry in _surface_index(known).items():
            self._automaton.add_word(surface, (surface, *entry))
        self._automaton.make_automaton()

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The mentions in a text, sorted."""
        found = [*self._surfaces(fold_with_offsets(text)), *self._by_pattern(text)]
        chosen = _leftmost_longest(found)
        return tuple(sorted(mention for each in chosen for mention in _mentions(text, each)))

    def _surfaces(self, folded: Folded) -> Iterator[_Found]:
        if not len(self._automaton):
            return
        for last, (surface, resolved_by, entities) in self._automaton.iter(folded.text):
            start, end = last + 1 - len(surface), last + 1
            if _stands_alone(folded.text, start, end, resolved_by == "identifier"):
                place = folded.source(start, end)
                if place is not None:
                    yield _Found(*place, resolved_by, entities)

    def _by_pattern(self, text: str) -> Iterator[_Found]:
        for each in identifiers_in(text):
            if not tells_apart(each.scheme):
                continue
            known = self._identifiers.get(_identifier(each.scheme, each.value))
            entities = known or (f"{each.scheme}:{each.value}",)
            yield _Found(each.start, each.end, "identifier", entities, bool(known))


def _mentions(text: str, found: _Found) -> Iterator[Mention]:
    surface = text[found.start : found.end]
    confidence = CONFIDENCE[found.resolved_by] if found.is_known else UNKNOWN_IDENTIFIER
    if found.resolved_by != "identifier" and " " not in surface and surface == surface.casefold():
        confidence = min(confidence, UNCAPITALISED)
    for entity in found.entities:
        sure = confidence / len(found.entities)
        yield Mention(found.start, found.end, surface, entity, found.resolved_by, round(sure, 4))


def _leftmost_longest(found: Iterable[_Found]) -> Iterator[_Found]:
    """The stretches that remain: from the left, the longest at a place, identifiers before names."""
    end = -1
    for each in sorted(
        found, key=lambda each: (each.start, -each.end, _RANK[each.resolved_by], not each.is_known)
    ):
        if each.start >= end:
            yield each
            end = each.end


def _order(each: _Found) -> tuple[int, int, int, bool]:
    return each.start, -each.end, _RANK[each.resolved_by], not each.is_known


def _stands_alone(text: str, start: int, end: int, whole: bool) -> bool:
    """Whether no word goes on at either end; an identifier (``whole``) goes on over a hyphen as well."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if whole and (before == "-" or (after == "-" and text[end + 1 : end + 2].isalnum())):
        return False
    return not (_joins(before, text[start]) or _joins(text[end - 1], after))


def _joins(left: str, right: str) -> bool:
    return bool(left and right) and _is_word(left) and _is_word(right)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _surface_index(entities: Sequence[Entity]) -> dict[str, tuple[ResolvedBy, tuple[str, ...]]]:
    """Each folded surface with how it is one, and the entities that have it so, ascending."""
    found: dict[str, dict[ResolvedBy, set[str]]] = defaultdict(lambda: defaultdict(set))
    for entity in entities:
        for kind, surface in _looked_for(entity):
            found[surface][kind].add(entity.entity_id)
    best = {surface: min(kinds, key=_RANK.__getitem__) for surface, kinds in found.items()}
    return {
        surface: (kind, tuple(sorted(found[surface][kind])))
        for surface, kind in sorted(best.items())
        if len(found[surface][kind]) <= MOST_AMBIGUOUS
    }


def _looked_for(entity: Entity) -> Iterator[tuple[ResolvedBy, str]]:
    for name in map(fold, entity.names):
        if _is_name(name):
            yield "name", name
    for alias in map(fold, entity.aliases):
        if _is_name(alias):
            yield "alias", alias
    for key in keys_of((each.scheme, each.value) for each in entity.identifiers):
        # Digits alone need their label beside them: that is for the patterns.
        value = fold(key.value)
        if len(value) >= SHORTEST and any(map(str.isalpha, value)):
            yield "identifier", value


def _is_name(folded: str) -> bool:
    """Whether a folded name can be told from ordinary words."""
    if sum(map(str.isalnum, folded)) < SHORTEST or not any(map(str.isalpha, folded)):
        return False
    return not all(word in COMMON for word in folded.replace("-", " ").split())


def _identifier_index(entities: Sequence[Entity]) -> dict[str, tuple[str, ...]]:
    """Entities by folded ``scheme:value``, ascending."""
    found: dict[str, set[str]] = defaultdict(set)
    for entity in entities:
        for each in entity.identifiers:
            found[_identifier(each.scheme, each.value)].add(entity.entity_id)
    return {key: tuple(sorted(ids)) for key, ids in found.items() if len(ids) <= MOST_AMBIGUOUS}


def _identifier(scheme: str, value: str) -> str:
    return f"{scheme}:{value}".casefold()
