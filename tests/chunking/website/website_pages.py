"""Cutting a page in a test, and proving what was cut."""

from __future__ import annotations

from typing import NamedTuple

from chunk_pipeline.chunking.budget import Budget, unbound
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.facts.facts import WebsiteFacts
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.website.strategies import Website


class Cut(NamedTuple):
    """What a page was cut into."""

    text: str
    chunks: list[Chunk]
    skips: list[Skip]

    @property
    def facts(self) -> list[WebsiteFacts]:
        found = [chunk.facts for chunk in self.chunks]
        assert all(isinstance(each, WebsiteFacts) for each in found)
        return [each for each in found if isinstance(each, WebsiteFacts)]

    def skipped(self, reason: str) -> str:
        """The source of what was left out for that reason."""
        return "".join(
            self.text[each.span.start : each.span.end] for each in self.skips if each.reason == reason
        )


def cut(text: str, limit: int | None = None, attributes: tuple[tuple[str, str], ...] = ()) -> Cut:
    """Cut a page and prove that nothing is lost, spans are exact and no chunk is too large."""
    strategy = Website() if limit is None else Website().with_budget(Budget(unbound().count, limit, "test"))
    document = Document("site", "page.html", text, "website", attributes=attributes)
    pieces = list(strategy.cut(document))
    chunks = [piece for piece in pieces if isinstance(piece, Chunk)]
    skips = [piece for piece in pieces if isinstance(piece, Skip)]
    proof = prove(text, chunks, skips, "html", strategy.ceiling, strategy.size)
    assert proof.holds, proof
    assert proof.sizes.over_limit == proof.sizes.indivisible == 0, proof.sizes
    return Cut(text, chunks, skips)
