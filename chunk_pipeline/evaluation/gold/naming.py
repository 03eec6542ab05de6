"""Identifiers as words, and even choices out of many: what the routes over code have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from chunk_pipeline.chunking.chunk import Document

LEADING_VERBS = frozenset({"build", "create", "get", "has", "is", "make", "set", "to", "use"})
"""Verbs that say nothing about what a function is for, dropped from the head of its words."""

BUCKETS = (2_000, 10_000)
"""Bytes at which files are of the next size."""

PER_BUCKET = 66
"""Queries taken from the files of one size."""

Item = TypeVar("Item")

_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_WORD = re.compile(r"[\W_]+")


def words(name: str) -> list[str]:
    """``expiryDuration`` → ``expiry``, ``duration``; ``URLField`` → ``url``, ``field``; in lower case."""
    return _HUMP.sub(" ", _NOT_WORD.sub(" ", name)).lower().split()


def phrase(name: str, fewest: int = 2) -> str:
    """An identifier's words less those of one character and one leading verb; empty if too few are left."""
    left = [word for word in words(name) if len(word) > 1]
    if left and left[0] in LEADING_VERBS:
        left = left[1:]
    return " ".join(left) if len(left) >= fewest else ""


def size_of(document: Document) -> int:
    """The size of a document's file: 0 under 2,000 bytes of UTF-8, 1 under 10,000, else 2."""
    length = len(document.text.encode(errors="surrogatepass"))
    return sum(length >= bound for bound in BUCKETS)


def evenly(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many items, by an even stride from the first."""
    if len(items) <= most:
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]


def even_by_size(items: Mapping[Item, Document]) -> list[Item]:
    """At most 66 items of each size of file, by an even stride, in the order given.

    Args:
        items: Each item with the document that it is from.
    """
    chosen = set()
    for size in range(len(BUCKETS) + 1):
        chosen.update(
            evenly([item for item, document in items.items() if size_of(document) == size], PER_BUCKET)
        )
    return [item for item in items if item in chosen]
