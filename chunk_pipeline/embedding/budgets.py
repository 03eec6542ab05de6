"""The budget that an embedding model sets: what a chunk costs by its tokenizer, and what it reads.

A chunk is cut before its context tag is known, so where tags are put before texts the longest is reckoned in.
What does not belong here: which model reads what (the sources file says so).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from string import ascii_uppercase

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES
from chunk_pipeline.embedding.inputs import tag_of
from chunk_pipeline.embedding.models import Model
from chunk_pipeline.embedding.token_counts import token_counter


@cache
def model_budget(model: Model, directory: Path | None = None, context_tags: bool = False) -> Budget:
    """The budget of one model.

    Args:
        model: The model.
        directory: A folder with the model's files, instead of its package's.
        context_tags: Whether a tag will be put before each text.

    Raises:
        ModelError: The model is not installed: its tokenizer is needed.
    """
    reserve = context_reserve(model, directory) if context_tags else 0
    count = _Count(model, directory, reserve)
    kind = digest(f"{count.counter.digest} {model.passage_prefix} {reserve}")[:8]
    return Budget(count, model.max_tokens, f"{model.name}@{kind}")


class _Count:
    """Tokens of a passage by one model. It can be sent to another process, which reads the tokenizer anew."""

    def __init__(self, model: Model, directory: Path | None, reserve: int) -> None:
        self._made_of = (model, directory, reserve)
        self._prefix = model.passage_prefix
        self._reserve = reserve
        self.counter = token_counter(model, directory)

    def __call__(self, text: str) -> int:
        return self.counter.count(self._prefix + text) + self._reserve

    def __reduce__(self) -> tuple[type[_Count], tuple[Model, Path | None, int]]:
        return _Count, self._made_of


@dataclass(frozen=True, slots=True)
class _Largest:
    """The largest of several counts."""

    budgets: tuple[Budget, ...]

    def __call__(self, text: str) -> int:
        return max(budget.count(text) for budget in self.budgets)


def narrowest(budgets: Sequence[Budget]) -> Budget:
    """One budget that keeps to all: the largest count, the smallest limit.

    A strategy cuts files of several categories alike, and each may be read by a model of its own.

    Raises:
        ValueError: There is none.
    """
    if not budgets:
        raise ValueError("there is no budget to keep to; name at least one model")
    if len(budgets) == 1:
        return budgets[0]
    limits = [budget.limit for budget in budgets if budget.limit is not None]
    return Budget(
        _Largest(tuple(budgets)),
        min(limits, default=None),
        "+".join(budget.name for budget in budgets),
    )


@cache
def context_reserve(model: Model, directory: Path | None = None) -> int:
    """The most tokens that a context tag takes, over all types and all pairs of letters for a country."""
    counter = token_counter(model, directory)
    prefix = model.passage_prefix
    bare = counter.count(prefix)
    names = max(counter.count(prefix + tag_of(letter, "")) for letter in TYPE_NAMES)
    pairs = ["".join(pair) for pair in product(ascii_uppercase, repeat=2)]
    countries = max(counter.counts([prefix + tag_of("", pair) for pair in pairs]))
    return names - bare + countries - bare
