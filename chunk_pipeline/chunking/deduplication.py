"""Which chunks say what another one says: exact copies, and several records of one entity.

A pure function over the whole set: the order of its input does not matter, and on what it keeps it finds
nothing more. Nothing is decided by a name, and nothing because a chunk mentions an entity. What does not
belong here: chunks that are nearly the same (``near_duplicates``), which both stay.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from chunk_pipeline.chunking.entities.identity import Key, contradict, keys_of
from chunk_pipeline.chunking.facts.vocabulary import TIERS, Tier

EXACT = "exact_text"
"""Reason of a chunk whose text is another's."""

_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"^[ \t-]*[^:\n]{1,60}:(?=\s)", re.MULTILINE)
"""The name of a slot or column, in front of its value."""
_WORD = re.compile(r"\w+")
_MOST_COMPARED = 100
"""Kept records of one number of a legal person that a record is compared with, the best ones."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk, as far as it matters here.

    Attributes:
        chunk_id: Its identity.
        record_id: Of record chunks: the record, as ``repository/source_id``; all its pieces have the same.
        text: Opening, body and closing. The header is left out: it holds the file's name, which two copies of
            one page do not share.
        is_record: Whether it is (a piece of) a record of an entity: a row of a registry, an instance.
        identifiers: Scheme and value of each identifier of the record.
        data_tier: How far its source can be trusted.
        confidence: 0 to 1.
        extraction_date: When its source was taken.
        source_id: Section, message or record that it is of.
        strategy: Strategy that cut it. Two strategies cut one file: their chunks are no copies of each other.
        repository: Repository of its file.
        path: Path of its file.
        ordinal: Place among its file's chunks.
        language: ISO 639-1 of the record, where it is known.
    """

    chunk_id: str
    record_id: str
    text: str
    is_record: bool
    identifiers: tuple[tuple[str, str], ...]
    data_tier: Tier
    confidence: float
    extraction_date: date | None
    source_id: str
    strategy: str
    repository: str
    path: str
    ordinal: int = 0
    language: str | None = None


class Duplicate(NamedTuple):
    """A chunk that another one, which is kept, stands for.

    Attributes:
        chunk_id: The chunk.
        winner_id: The other.
        reason: What they have in common.
        says_more: Whether its record holds a word that the winner's does not. A bare row of a registry wins
            over the instance that describes the same museum, which must be found all the same.
    """

    chunk_id: str
    winner_id: str
    reason: str
    says_more: bool = False


def deduplicate(candidates: Iterable[Candidate]) -> tuple[Duplicate, ...]:
    """Find the duplicates of a set of chunks.

    Chunks are taken from the best to the worst: best tier, then highest confidence, then newest, then
    smallest source_id, then smallest chunk_id. A chunk is left out if one kept before it, of the same
    strategy, has the same text (NFC, white space collapsed). A record is left out, whole, if a record kept
    before it has the same texts, or shares an identifier with it. Two exceptions: records in two languages
    are translations and both kept; a number of a legal person counts only where the two do not have different
    numbers of their own. So every winner is kept, and has in common with the loser what the reason says.

    Args:
        candidates: Chunks with distinct ids, in any order.

    Returns:
        The chunks that another one stands for, by id. Whether the indexes leave one out is another question:
        those that say more stay.
    """
    kept = _Kept()
    found: list[Duplicate] = []
    for unit in sorted(_units(candidates), key=lambda each: each.rank):
        winner, reason = kept.match(unit)
        if winner is None:
            kept.add(unit)
        else:
            found += _lost(unit, winner, reason)
    return tuple(sorted(found))


def comparable(text: str) -> str:
    """A text as copies are compared: NFC, white space collapsed."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


@dataclass(frozen=True)
class _Unit:
    """What is kept or left out as a whole: a record in all its pieces, or one other chunk.

    Attributes:
        pieces: Its chunks in their order.
        is_record: Whether it is a record.
    """

    pieces: tuple[Candidate, ...]
    is_record: bool

    @cached_property
    def rank(self) -> tuple[int, float, int, str, str]:
        """The place among all units, the best first; no two have the same."""
        return min(_rank(each) for each in self.pieces)

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """Digest of each piece's text, in the order of the pieces."""
        return tuple(hashlib.sha256(comparable(each.text).encode()).hexdigest() for each in self.pieces)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """What units with the same texts have in common."""
        strategies = sorted({each.strategy for each in self.pieces})
        return ("record" if self.is_record else "", *strategies, *sorted(self.digests))

    @cached_property
    def keys(self) -> dict[Key, str]:
        """Its identifiers that tell entities apart; none where it is no record."""
        if not self.is_record:
            return {}
        return dict(keys_of(pair for each in self.pieces for pair in each.identifiers))

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of its values, in lower case."""
        return frozenset(
            word for each in self.pieces for word in _WORD.findall(_NAME.sub("", each.text).casefold())
        )

    @cached_property
    def language(self) -> str | None:
        """The language of most of its pieces, the smallest of several."""
        counted = Counter(each.language for each in self.pieces if each.language)
        return min(counted, key=lambda each: (-counted[each], each)) if counted else None

    def translates(self, other: _Unit) -> bool:
        """Whether both are in languages that are known and differ."""
        return bool(self.language and other.language and self.language != other.language)


def _units(candidates: Iterable[Candidate]) -> Iterator[_Unit]:
    records: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for each in candidates:
        if each.is_record:
            records[each.strategy, each.record_id].append(each)
        else:
            yield _Unit((each,), is_record=False)
    for pieces in records.values():
        yield _Unit(tuple(sorted(pieces, key=lambda each: (each.ordinal, each.chunk_id))), is_record=True)


def _rank(each: Candidate) -> tuple[int, float, int, str, str]:
    newest = -each.extraction_date.toordinal() if each.extraction_date else 0
    return TIERS.index(each.data_tier), -each.confidence, newest, each.source_id, each.chunk_id


class _Kept:
    """The units that are kept so far, by what others could have in common with them."""

    def __init__(self) -> None:
        self._by_content: dict[tuple[str, ...], _Unit] = {}
        self._by_key: dict[Key, list[_Unit]] = defaultdict(list)

    def add(self, unit: _Unit) -> None:
        """Keep a unit."""
        self._by_content[unit.content] = unit
        for key in unit.keys:
            self._by_key[key].append(unit)

    def match(self, unit: _Unit) -> tuple[_Unit | None, str]:
        """The best kept unit that says the same, and the reason; none if there is no such unit."""
        if (same := self._by_content.get(unit.content)) is not None:
            return same, EXACT
        sharing = [(each.rank, key, each) for key in unit.keys for each in self._of_entity(unit, key)]
        if not sharing:
            return None, ""
        _, key, winner = min(sharing, key=lambda each: each[:2])
        return winner, f"entity {winner.keys[key]}"

    def _of_entity(self, unit: _Unit, key: Key) -> Sequence[_Unit]:
        """The kept records that the identifier says to be of the unit's entity, in its language."""
        # Of an entity's own number one record a language is kept: only the other numbers need a bound.
        kept = self._by_key.get(key, [])[:_MOST_COMPARED]
        return [
            each
            for each in kept
            if not unit.translates(each) and (key.is_own or not contradict(unit.keys, each.keys))
        ]


def _lost(unit: _Unit, winner: _Unit, reason: str) -> Iterator[Duplicate]:
    """Each piece with the winner's piece of the same text, else with the winner's first."""
    says_more = reason != EXACT and not unit.said <= winner.said
    by_digest = dict(zip(reversed(winner.digests), reversed(winner.pieces), strict=True))
    for piece, digest in zip(unit.pieces, unit.digests, strict=True):
        stands_for_it = by_digest.get(digest, winner.pieces[0])
        yield Duplicate(piece.chunk_id, stands_for_it.chunk_id, reason, says_more)
