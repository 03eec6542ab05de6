"""What the strategies have in common that measure their chunks in a model's tokens.

Their guidelines are in tokens, and the model that reads the chunks may read fewer: the smaller of the two
binds.
"""

from __future__ import annotations

from copy import copy
from typing import ClassVar, Self

from chunk_pipeline.chunking.budget import Budget, unbound
from chunk_pipeline.chunking.registry import Strategy

CHARACTERS_PER_TOKEN = 6
"""More than prose has; what is longer for its tokens is mostly white space and shown as oversized."""


class BudgetedStrategy(Strategy):
    """A strategy with a guideline in tokens.

    Attributes:
        target_tokens: Size that a chunk should have.
        max_tokens: Size that no chunk may have more than, header and all.
        overlap_tokens: Size of what a chunk repeats of the one before, where one record is cut.
        budget: Who counts, and what the model reads.
    """

    target_tokens: ClassVar[int]
    max_tokens: ClassVar[int]
    overlap_tokens: ClassVar[int] = 0
    needs_budget: ClassVar[bool] = True
    promises_limit: ClassVar[bool] = True
    gives_facts: ClassVar[bool] = True

    def __init__(self) -> None:
        self.budget: Budget = unbound()

    def with_budget(self, budget: Budget) -> Self:
        """The same strategy measured by another budget."""
        bound = copy(self)
        bound.budget = budget
        return bound

    def size(self, text: str) -> int:
        """Tokens of the text as the model gets it."""
        return self.budget.count(text)

    @property
    def ceiling(self) -> int:
        """The guideline's maximum, or what the model reads if that is less."""
        return self.budget.within(self.max_tokens)

    @property
    def target(self) -> int:
        """The guideline's target, at most the ceiling."""
        return min(self.target_tokens, self.ceiling)

    @property
    def settings(self) -> str:
        """Guidelines, what the model reads, and whose tokens they are."""
        guidelines = f"target={self.target_tokens} maximum={self.max_tokens} overlap={self.overlap_tokens}"
        return f"{guidelines} ceiling={self.ceiling} tokens={self.budget.name}"
