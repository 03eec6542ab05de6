"""The gazetteer: the entities that a run's registries and instances name.

Records that share an identifier are one entity; equal names never make two records one. What does not belong
here: finding the names in a text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from chunk_pipeline.chunking.entities.identity import GHCID, Key, contradict, identifiers_of, keys_of
from chunk_pipeline.chunking.entities.offsets import fold
from chunk_pipeline.chunking.entities.words import LEGAL_FORMS
from chunk_pipeline.chunking.facts.facts import Facts, Identifier
from chunk_pipeline.warehouse.tables import GAZETTEER

_BEHIND = re.compile(r"\s*\([^()]*\)\s*\Z")
_SPACE = re.compile(r"\s+")
_UNKNOWN = "U"


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity that records name.

    Attributes:
        entity_id: GHCID, else the smallest identifier that is its own as ``scheme:value``, else
            ``repository/source_id`` of its first record.
        primary_class: The class that most of its records give; the smallest of several.
        custodian_type: Type letters of all its records, without ``U`` where another is known.
        names: Labels and other names, ascending.
        identifiers: Identifiers of any scheme, ascending.
        source_ids: Its records as ``repository/source_id``, ascending.
    """

    entity_id: str
    primary_class: str
    custodian_type: tuple[str, ...]
    names: tuple[str, ...]
    identifiers: tuple[Identifier, ...]
    source_ids: tuple[str, ...]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Names without their legal form, or without what stands in brackets behind; none of the names."""
        found = {shorter for name in self.names for shorter in _shortened(name)}
        return tuple(sorted(found - set(self.names)))


@dataclass(slots=True)
class _Record:
    source_id: str
    classes: Counter[str] = field(default_factory=Counter)
    letters: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    identifiers: set[tuple[str, str]] = field(default_factory=set)


def build_gazetteer(records: Iterable[tuple[str, Facts]]) -> tuple[Entity, ...]:
    """Entities from the facts of record chunks.

    Records are joined by union-find over the identifiers of ``identity``. A number of a legal person joins
    none where two of its records have contradicting numbers of their own.

    Args:
        records: Repository and facts of each chunk, in any order; pieces of one record count as one.

    Returns:
        Entities with a name or an identifier, in the order of their ids.
    """
    merged = _merged(records)
    keys = {record.source_id: keys_of(record.identifiers) for record in merged}
    uniting = _uniting(keys)
    sets = _Sets(keys)
    for sharing in uniting.values():
        for source_id in sharing[1:]:
            sets.unite(sharing[0], source_id)
    groups: dict[str, list[_Record]] = defaultdict(list)
    for record in merged:
        groups[sets.root(record.source_id)].append(record)
    entities = (_entity(group, keys, uniting) for group in groups.values())
    found = (each for each in entities if each.names or each.identifiers)
    return tuple(sorted(found, key=lambda each: each.entity_id))


def _merged(records: Iterable[tuple[str, Facts]]) -> list[_Record]:
    """One record for each repository and source_id, in that order."""
    found: dict[str, _Record] = {}
    for repository, facts in records:
        source_id = f"{repository}/{facts.source_id}"
        record = found.setdefault(source_id, _Record(source_id))
        record.classes[facts.primary_class] += 1
        record.letters.update(facts.custodian_type)
        record.names.update(filter(None, map(_clean, facts.names)))
        record.identifiers.update(identifiers_of(facts))
    return [found[each] for each in sorted(found)]


def _uniting(keys: Mapping[str, Mapping[Key, str]]) -> dict[Key, list[str]]:
    """The records of each identifier that unites them, ascending."""
    sharing: dict[Key, list[str]] = defaultdict(list)
    for source_id in sorted(keys):
        for key in keys[source_id]:
            sharing[key].append(source_id)
    return {
        key: records
        for key, records in sharing.items()
        if key.is_own or not _any_contradict([keys[each] for each in records])
    }


def _any_contradict(records: Sequence[Mapping[Key, str]]) -> bool:
    """Whether any two of the records contradict each other; equal ones are compared once."""
    distinct = sorted({tuple(sorted(key for key in each if key.is_own)) for each in records})
    # A number that dozens of records with different numbers share is no entity's.
    if len(distinct) > _MOST_DISTINCT:
        return True
    return any(contradict(a, b) for place, a in enumerate(distinct) for b in distinct[:place])


_MOST_DISTINCT = 50


class _Sets:
    """Union-find; the smallest member stands for a set."""

    def __init__(self, members: Iterable[str]) -> None:
        self._parent = {each: each for each in members}

    def root(self, member: str) -> str:
        while self._parent[member] != member:
            self._parent[member] = self._parent[self._parent[member]]
            member = self._parent[member]
        return member

    def unite(self, left: str, right: str) -> None:
        first, second = sorted((self.root(left), self.root(right)))
        self._parent[second] = first


def _entity(
    records: Sequence[_Record], keys: Mapping[str, Mapping[Key, str]], uniting: Container[Key]
) -> Entity:
    names = {key: text for each in records for key, text in keys[each.source_id].items() if key in uniting}
    classes = sum((each.classes for each in records), Counter[str]())
    letters = {letter for each in records for letter in each.letters}
    return Entity(
        entity_id=_entity_id(names) or records[0].source_id,
        primary_class=min(classes, key=lambda each: (-classes[each], each)),
        custodian_type=tuple(sorted(letters - {_UNKNOWN} or letters)),
        names=tuple(sorted({name for each in records for name in each.names})),
        identifiers=tuple(
            Identifier(scheme=scheme, value=value)
            for scheme, value in sorted({pair for each in records for pair in each.identifiers})
        ),
        source_ids=tuple(sorted(each.source_id for each in records)),
    )


def _entity_id(names: Mapping[Key, str]) -> str:
    """The GHCID, else the smallest identifier of its own, else of its legal person; or nothing."""
    if not names:
        return ""
    first = min(names, key=lambda key: (key.scheme != GHCID.casefold(), not key.is_own, key))
    return names[first].partition(":")[2] if first.scheme == GHCID.casefold() else names[first]


def _clean(name: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFC", name)).strip()


def _shortened(name: str) -> Iterator[str]:
    without = _BEHIND.sub("", name)
    if without:
        yield without
    head, _, rest = without.partition(" ")
    if rest and fold(head) in LEGAL_FORMS:
        yield rest.strip()


def gazetteer_table(entities: Iterable[Entity]) -> pa.Table:
    """The entities as ``gazetteer`` rows: one for each name, alias and identifier."""
    rows = [
        {
            "entity_id": each.entity_id,
            "surface": surface,
            "kind": kind,
            "primary_class": each.primary_class,
            "custodian_type": list(each.custodian_type),
            "source_ids": list(each.source_ids),
        }
        for each in entities
        for kind, surface in _surfaces(each)
    ]
    rows.sort(key=lambda row: tuple(str(row[name]) for name in GAZETTEER.sort))
    return pa.Table.from_pylist(rows, schema=GAZETTEER.schema)


def _surfaces(entity: Entity) -> Iterator[tuple[str, str]]:
    yield from (("name", name) for name in entity.names)
    yield from (("alias", alias) for alias in entity.aliases)
    yield from (("identifier", f"{_escaped(each.scheme)}:{each.value}") for each in entity.identifiers)


def _escaped(scheme: str) -> str:
    return scheme.replace("%", "%25").replace(":", "%3A")


def _unescaped(scheme: str) -> str:
    return scheme.replace("%3A", ":").replace("%25", "%")


def gazetteer_of(table: pa.Table) -> tuple[Entity, ...]:
    """The entities of a ``gazetteer`` table, in the order of their ids."""
    surfaces: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    first: dict[str, dict[str, object]] = {}
    for row in table.to_pylist():
        surfaces[row["entity_id"]][row["kind"]].append(row["surface"])
        first.setdefault(row["entity_id"], row)
    return tuple(_read(first[each], surfaces[each]) for each in sorted(first))


def _read(row: Mapping[str, object], surfaces: Mapping[str, Sequence[str]]) -> Entity:
    pairs = (each.partition(":") for each in sorted(surfaces.get("identifier", ())))
    letters, sources = row["custodian_type"], row["source_ids"]
    return Entity(
        entity_id=str(row["entity_id"]),
        primary_class=str(row["primary_class"]),
        custodian_type=tuple(letters) if isinstance(letters, list) else (),
        names=tuple(sorted(surfaces.get("name", ()))),
        identifiers=tuple(Identifier(scheme=_unescaped(scheme), value=value) for scheme, _, value in pairs),
        source_ids=tuple(sources) if isinstance(sources, list) else (),
    )
