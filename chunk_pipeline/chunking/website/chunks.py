"""A section's text cut into chunks, each with the stretches of the source that it holds.

A stretch goes over markup, but never over text of another section or text that is left out. What does not
belong here: what a section is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from chunk_pipeline.chunking.chunk import NO_METADATA, Chunk, ChunkMetadata, Skip, Span
from chunk_pipeline.chunking.facts.facts import WebsiteFacts
from chunk_pipeline.chunking.significance import solid
from chunk_pipeline.chunking.token_pieces import cut_by_tokens
from chunk_pipeline.chunking.website.page import Page, Places
from chunk_pipeline.chunking.website.rendering import Body


class Measure(NamedTuple):
    """How large a chunk may be, header and all.

    Attributes:
        size: Tokens of a text.
        target: Tokens that a chunk should have.
        ceiling: Tokens that none may have more than.
        overlap: Tokens that a piece may repeat of the one before.
    """

    size: Callable[[str], int]
    target: int
    ceiling: int
    overlap: int


class Cutter:
    """Cuts the sections of one page."""

    def __init__(self, page: Page, measure: Measure) -> None:
        self._reading, self._measure = page.reading, measure
        self._solid = solid(page.reading.text)
        self._rank = np.cumsum(self._solid)

    def chunks(
        self, body: Body, header: str, facts: WebsiteFacts | None, unit: str, fallback: str
    ) -> Iterator[Chunk]:
        """The chunks of a section.

        Args:
            body: Its text.
            header: What is put above each chunk.
            facts: Its facts, if it has any.
            unit: Its locator.
            fallback: Why Docling did not read the page; empty where it did.
        """
        measure = self._measure
        above = f"{header}\n" if header else ""
        pieces = cut_by_tokens(
            body.text,
            lambda text: measure.size(above + text.strip()),
            measure.target,
            measure.ceiling,
            measure.overlap,
            body.breaks,
        )
        held = -1
        for piece in pieces:
            start, end = self._whole(body, piece.start), self._whole(body, piece.end)
            fresh = self._whole(body, piece.start + piece.overlap)
            spans = self._spans(body.places[start:end])
            if fresh > start and (len(spans) > 1 or held < 0):
                start, spans = fresh, self._spans(body.places[fresh:end])
            if not spans:
                continue
            overlap = max(0, held - spans[0].start) if len(spans) == 1 else 0
            held = spans[0].end if len(spans) == 1 else -1
            text = _trimmed(body, start, end)
            over = measure.size(above + text) > measure.ceiling
            yield Chunk(
                text, spans, unit, header, overlap=overlap, metadata=_metadata(fallback, over), facts=facts
            )

    def spans(self, body: Body) -> tuple[Span, ...]:
        """The stretches of the source that a text holds."""
        return self._spans(body.places)

    def _whole(self, body: Body, place: int) -> int:
        """The place, or the next at which no character reference is cut in two."""
        starts, places = self._reading.starts, body.places
        while 0 < place < len(places) and min(places[place - 1], places[place]) >= 0:
            if starts[places[place]] != starts[places[place - 1]]:
                break
            place += 1
        return place

    def _spans(self, places: Places) -> tuple[Span, ...]:
        """The stretches of the source for some characters of the reading."""
        known = places[places >= 0]
        known = known[self._solid[known]]
        if not len(known):
            return ()
        apart = np.flatnonzero(np.diff(self._rank[known]) > 1) + 1
        firsts, lasts = known[np.r_[0, apart]], known[np.r_[apart - 1, len(known) - 1]]
        return tuple(
            Span(int(self._reading.starts[first]), int(self._reading.ends[last]))
            for first, last in zip(firsts, lasts, strict=True)
        )


def skips(page: Page, reasons: Sequence[str]) -> Iterator[Skip]:
    """What is left out: one for each run of text with one reason that no content interrupts."""
    run: tuple[int, int, str] | None = None
    for node, owner in enumerate(page.owners):
        if page.first[node] == page.behind[node]:
            continue
        reason = reasons[owner]
        if run and reason == run[2]:
            run = (run[0], node, reason)
            continue
        if run:
            yield _skip(page, *run)
        run = (node, node, reason) if reason else None
    if run:
        yield _skip(page, *run)


def _skip(page: Page, first: int, last: int, reason: str) -> Skip:
    starts, ends = page.reading.starts, page.reading.ends
    return Skip(Span(int(starts[page.first[first]]), int(ends[page.behind[last] - 1])), reason)


def _trimmed(body: Body, start: int, end: int) -> str:
    """A piece without white space at its ends, and without marks that stand between it and another."""
    text = body.text
    while start < end and (text[start].isspace() or (body.places[start] < 0 and text[start] == "|")):
        start += 1
    while start < end and body.places[end - 1] < 0:
        end -= 1
    return text[start:end].rstrip()


def _metadata(fallback: str, over: bool) -> ChunkMetadata:
    if not fallback and not over:
        return NO_METADATA
    return ChunkMetadata(fallback=fallback or None, indivisible=True if over else None)
