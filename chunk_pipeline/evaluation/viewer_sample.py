"""Which files the chunk viewer shows: few, the same ones on every run, and none of a kind left out.

A page that holds every file would be too large to open, so a sample stands for them. How files are written
into the page belongs in ``viewer``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.evaluation.viewer_limits import limit_of

LONGEST = 20_000
"""Characters of a file that are shown at most."""

_COMFORTABLE = 8_000
"""Longer files go behind shorter ones of their kind: they cost room and show no more."""

FALLBACK = "cut another way"
OVER_LIMIT = "over the limit"
SKIPS = "skips"
OVERLAP = "overlap"

FileKey = tuple[str, str]
"""(repository, path)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kept file that some strategy has cut.

    Attributes:
        repository: Name of the source.
        path: Path in it.
        category: Its role.
        language: Its format.
        content_sha256: Digest of its bytes.
        characters: Length of its text.
        chunks: The most chunks that any strategy cuts it into.
        oddities: What is uncommon about its chunks, in words, sorted.
    """

    repository: str
    path: str
    category: str
    language: str
    content_sha256: str
    characters: int
    chunks: int
    oddities: tuple[str, ...]

    @property
    def key(self) -> FileKey:
        """What tells it from all others."""
        return self.repository, self.path

    @property
    def merit(self) -> tuple[bool, bool, bool, str]:
        """Smaller goes first: those that can be shown whole, that are cut at all, that are not long."""
        name = hashlib.sha256("/".join(self.key).encode(errors="surrogatepass")).hexdigest()
        return self.characters > LONGEST, self.chunks < 2, self.characters > _COMFORTABLE, name


def candidates_of(
    files: pa.Table, contents: pa.Table, chunks: Mapping[str, pa.Table], skips: pa.Table
) -> list[Candidate]:
    """The kept files of which some strategy holds a chunk or a skip, in the order of ``files``.

    Args:
        files: A ``files`` table.
        contents: The ``contents`` of the same repositories.
        chunks: ``chunks`` of each strategy; each table is asked for once.
        skips: ``skips`` of all strategies.
    """
    facts = _facts(chunks, skips)
    columns = (contents["repository"].to_pylist(), contents["content_sha256"].to_pylist())
    lengths = dict(zip(zip(*columns, strict=True), pc.utf8_length(contents["text"]).to_pylist(), strict=True))
    kept = files.filter(pc.equal(files["fate"], "kept"))
    named = kept.select(["repository", "path", "category", "language", "content_sha256"])
    found = []
    for row in named.to_pylist():
        fact = facts.get((row["repository"], row["path"]))
        characters = lengths.get((row["repository"], row["content_sha256"]))
        if fact is not None and characters is not None:
            odd = tuple(sorted(fact.oddities))
            found.append(Candidate(**row, characters=characters, chunks=fact.chunks, oddities=odd))
    return found


def in_order_of_taking(candidates: Sequence[Candidate]) -> list[Candidate]:
    """All candidates, those first without which a kind of file would be missing.

    A file of every category, then one of every repository, of every oddity in every category, and of every
    category in every repository; then the second of each of these, the third, and so on. Among files that
    serve alike those go first that are short enough to be shown whole, are cut into several chunks, and are
    not long; beyond that a digest of the name decides, so that no folder is preferred.
    """
    rounds: tuple[Callable[[Candidate], Iterable[Hashable]], ...] = (
        lambda each: [each.category],
        lambda each: [("repository", each.repository)],
        lambda each: [(oddity, each.category, "oddity") for oddity in each.oddities],
        lambda each: [(each.category, each.repository)],
    )
    pool = sorted(candidates, key=lambda each: each.merit)
    taken: dict[Candidate, None] = {}
    seen: set[Hashable] = set()
    for keys in rounds:
        for each in pool:
            if any(key not in seen for key in keys(each)):
                taken[each] = None
                seen.update(key for of_round in rounds for key in of_round(each))
    return [*taken, *_in_turn(each for each in pool if each not in taken)]


def _in_turn(pool: Iterable[Candidate]) -> list[Candidate]:
    """The first of each category and repository, then the second of each, …; the pool's order within.

    Files too long to be shown whole go last: no kind needs them any more, and each takes the room of several.
    """
    rank: dict[Hashable, int] = {}
    placed = []
    for each in pool:
        group = (each.category, each.repository)
        rank[group] = rank.get(group, 0) + 1
        placed.append((each.characters > LONGEST, rank[group], each.category, each.repository, each))
    return [each for *_, each in sorted(placed, key=lambda item: item[:-1])]


@dataclass(slots=True)
class _Fact:
    """What is known of a file over all strategies."""

    chunks: int = 0
    oddities: set[str] = field(default_factory=set)


def _facts(chunks: Mapping[str, pa.Table], skips: pa.Table) -> dict[FileKey, _Fact]:
    facts: dict[FileKey, _Fact] = {}
    for name in sorted(chunks):
        for key, count, oddities in _cut(chunks[name]):
            fact = facts.setdefault(key, _Fact())
            fact.chunks = max(fact.chunks, count)
            fact.oddities |= oddities
    left_out = skips.group_by(["repository", "path"]).aggregate([([], "count_all")])
    for row in left_out.to_pylist():
        facts.setdefault((row["repository"], row["path"]), _Fact()).oddities.add(SKIPS)
    return facts


def _cut(chunks: pa.Table) -> Iterator[tuple[FileKey, int, set[str]]]:
    """(file, number of chunks, oddities) of each file of a strategy."""
    limit = limit_of(chunks)
    flags = {
        FALLBACK: pc.is_valid(pc.struct_field(chunks["metadata"], "fallback")),
        OVERLAP: pc.greater(chunks["overlap"], 0),
        OVER_LIMIT: pc.greater(chunks["n_chars"], limit) if limit else chunks["oversized"],
    }
    table = pa.table({"repository": chunks["repository"], "path": chunks["path"], **flags})
    wanted: list[tuple[str | list[str], str]] = [([], "count_all"), *((flag, "any") for flag in flags)]
    for row in table.group_by(["repository", "path"]).aggregate(wanted).to_pylist():
        oddities = {flag for flag in flags if row[f"{flag}_any"]}
        yield (row["repository"], row["path"]), row["count_all"], oddities
