"""How many tokens a text may have, and by whose count.

A model reads a fixed number of word pieces of a text and drops the rest without a word, so a chunk that must
be read whole is measured by that model's own tokenizer. What does not belong here: the tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from chunk_pipeline.chunking.tokens import ENCODING, encode


@dataclass(frozen=True, slots=True)
class Budget:
    """What a text costs, and what it may cost.

    Attributes:
        count: Tokens of a chunk's text, with all that is put around it when it is embedded.
        limit: Tokens that the model reads; ``None`` where no model is known.
        name: What counts, for the settings of a strategy: two budgets of one name count alike.
    """

    count: Callable[[str], int]
    limit: int | None
    name: str

    def within(self, guideline: int) -> int:
        """The most tokens that a chunk may have: a strategy's guideline, or what the model reads if less."""
        return guideline if self.limit is None else min(guideline, self.limit)


@cache
def unbound() -> Budget:
    """By tiktoken's ``cl100k_base``, without a model's limit: what holds where no model is chosen."""
    return Budget(_count, None, ENCODING)


def _count(text: str) -> int:
    return len(encode(text))
