"""The text strategies: what cuts any prose, and what other strategies are measured against.

They know nothing of a format. What does not belong here: how any of it is done.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.registry import Strategy, register
from chunk_pipeline.chunking.text.recursive import OVERLAP_SHARE, cut_chunks, recursive_cuts
from chunk_pipeline.chunking.text.semantic import (
    HASHING,
    PERCENTILE,
    Embed,
    hashing_embedder,
    semantic_cuts,
)
from chunk_pipeline.chunking.text.sentences import sentence_cuts
from chunk_pipeline.chunking.text.spring import VERSION as SPRING
from chunk_pipeline.chunking.text.spring import spring_texts
from chunk_pipeline.chunking.text.token import MINIMUM_CHARACTERS, MINIMUM_LENGTH, SIZE, token_cuts
from chunk_pipeline.chunking.tokens import ENCODING

LIMIT = 1000
"""Characters that a chunk has at most, but for those measured in tokens."""

SEMANTIC_MINIMUM = 200
"""Characters that a chunk has at least before a change of meaning ends it."""

_HERITAGE = frozenset({"conversation", "csv_registry", "document", "website", "yaml_instance"})
"""Categories of heritage sources; the plainest strategy cuts them too, as what the others must beat."""

_MARKED_UP = frozenset({"json"})
"""Formats of the category ``other`` that have strategies of their own."""


class _TextStrategy(Strategy):
    """What the four have in common."""

    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"markdown", "text", "other"})
    limit: ClassVar[int] = LIMIT
    format: ClassVar[str] = "text"
    promises_limit: ClassVar[bool] = True

    def takes(self, category: str | None, language: str | None) -> bool:
        """As every strategy, but JSON is left to the strategies that know it."""
        left = language in _MARKED_UP and category not in _HERITAGE
        return not left and super().takes(category, language)

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut without regard to the format; nothing is unparsable. A blank document is skipped."""
        text = document.text
        cuts = self.cuts(text)
        if text and not cuts:
            return iter((Skip(Span(0, len(text)), "blank document"),))
        return iter(cut_chunks(text, cuts))

    @abstractmethod
    def cuts(self, text: str) -> Sequence[tuple[int, int, int]]:
        """(start, end, overlap) of each chunk."""


@register
class Recursive(_TextStrategy):
    """Text cut at its coarsest boundary that fits, with an overlap of a fifth."""

    name = "recursive"
    categories: ClassVar[frozenset[str]] = _TextStrategy.categories | _HERITAGE
    overlap: ClassVar[int] = LIMIT // OVERLAP_SHARE

    @property
    def settings(self) -> str:
        """Limit and overlap."""
        return f"limit={self.limit} overlap={self.overlap}"

    def cuts(self, text: str) -> Sequence[tuple[int, int, int]]:
        """By ``recursive_cuts``."""
        return recursive_cuts(text, self.limit, self.overlap)


@register
class Token(_TextStrategy):
    """Windows of at most 800 tokens, cut back to a sentence or line end.

    The size is in tokens. The limit is five characters for each of them, which English prose does not reach:
    what is longer than 1.5 times that is mostly white space, and is shown as oversized.

    Args:
        compatibility: ``spring-ai-2.0.1`` for the texts that Spring AI's ``TokenTextSplitter`` gives, which
            have no place in the source: ``texts`` gives them, ``cut`` refuses.
    """

    name = "token"
    limit = 5 * SIZE
    promises_limit = False

    def __init__(self, compatibility: str | None = None) -> None:
        if compatibility not in (None, SPRING):
            raise ValueError(f"compatibility {compatibility!r}: it must be {SPRING!r} or None")
        self._compatibility = compatibility

    @property
    def settings(self) -> str:
        """Vocabulary, size in tokens and the two minima in characters."""
        own = f"limit={self.limit} encoding={ENCODING} size={SIZE}"
        own += f" minimum_characters={MINIMUM_CHARACTERS} minimum_length={MINIMUM_LENGTH}"
        return f"{own} compatibility={self._compatibility}" if self._compatibility else own

    def texts(self, text: str) -> list[str]:
        """The chunks' texts alone, in either form."""
        if self._compatibility:
            return spring_texts(text)
        return [text[start:end] for start, end, _ in token_cuts(text)]

    def cuts(self, text: str) -> Sequence[tuple[int, int, int]]:
        """By ``token_cuts``.

        Raises:
            ValueError: The compatible form is wanted.
        """
        if self._compatibility:
            raise ValueError(f"chunks of {SPRING} have no spans; take their texts by Token.texts")
        return token_cuts(text)


@register
class Sentence(_TextStrategy):
    """Whole sentences packed up to the limit."""

    name = "sentence"

    def cuts(self, text: str) -> Sequence[tuple[int, int, int]]:
        """By ``sentence_cuts``."""
        return sentence_cuts(text, self.limit)


@register
class Semantic(_TextStrategy):
    """Sentences cut where their meaning changes.

    Args:
        embed: Gives the vectors of sentences.
        digest: Names the vectors' space.
    """

    name = "semantic"
    needs_encoder = True
    minimum: ClassVar[int] = SEMANTIC_MINIMUM

    def __init__(self, embed: Embed = hashing_embedder, digest: str = HASHING) -> None:
        self._embed = embed
        self._digest = digest

    def with_encoder(self, embed: Embed, digest: str) -> Strategy:
        """The same strategy with another embedder."""
        return Semantic(embed, digest)

    @property
    def settings(self) -> str:
        """Limit, minimum, threshold and the vectors' space."""
        bounds = f"limit={self.limit} minimum={self.minimum}"
        return f"{bounds} percentile={PERCENTILE:g} encoder={self._digest}"

    def cuts(self, text: str) -> Sequence[tuple[int, int, int]]:
        """By ``semantic_cuts``, with one call of the embedder."""
        return semantic_cuts(text, self._embed, self.limit, self.minimum)
