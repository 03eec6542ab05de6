"""The strategy registry: every named, versioned way of cutting documents.

Adding a strategy is one decorated class: lineage, checks, indexes, reports and docs follow from here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip

if TYPE_CHECKING:
    from chunk_pipeline.chunking.account import Account
    from chunk_pipeline.chunking.budget import Budget
    from chunk_pipeline.chunking.text.semantic import Embed


class Strategy(ABC):
    """A named way of cutting the documents of some categories.

    Attributes:
        name: The name in tables, assets and commands; its prefix is the format.
        version: Raised when the same document may give other chunks than before.
        categories: The categories that it applies to.
        languages: The formats of files that it applies to; all where ``None``.
        limit: Size that a chunk should not exceed, in characters; 1.5 times that counts as oversized.
        format: What ``parses`` means and how the source is read: ``json``, ``markdown``, ``javascript``,
            ``vue``, ``html``, ``transcript``, ``csv``, ``yaml`` or ``text``.
        promises_integrity: Whether every chunk parses on its own, but for those with ``metadata.fallback``; a
            blocking check holds it to that.
        promises_limit: Whether no text's ``size`` is over ``ceiling``, header and all; a blocking check
            likewise.
        needs_encoder: Whether it cuts by vectors; the pipeline then gives it the workspace's encoder.
        needs_budget: Whether it measures chunks in tokens; the pipeline then gives it the budget of the model
            that reads them.
        gives_facts: Whether its chunks have ``facts``; they are then described, deduplicated and searched by
            them.
        summary: One line for people: the first line of the docstring.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    categories: ClassVar[frozenset[str]]
    languages: ClassVar[frozenset[str] | None] = None
    limit: ClassVar[int]
    format: ClassVar[str]
    promises_integrity: ClassVar[bool] = False
    promises_limit: ClassVar[bool] = False
    needs_encoder: ClassVar[bool] = False
    needs_budget: ClassVar[bool] = False
    gives_facts: ClassVar[bool] = False

    @abstractmethod
    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Yield the document's chunks, in order of first span, and what is left out on purpose.

        The first chunk alone may begin later: it may gather what stands anywhere in the document.

        Raises:
            UnparsableError: The document is not what its category promises; it is quarantined.
        """

    def account(self, document: Document, chunks: Sequence[Chunk], skips: Sequence[Skip]) -> Account | None:
        """The document's records, counted in the source and in the chunks; ``None`` where it has none."""
        return None

    def size(self, text: str) -> int:
        """What ``ceiling`` is compared with: characters, or tokens where it measures in tokens."""
        return len(text)

    @property
    def ceiling(self) -> int:
        """The largest ``size`` of a text, for ``promises_limit``."""
        return self.limit

    def takes(self, category: str | None, language: str | None) -> bool:
        """Whether it applies to a file of that category and format."""
        return category in self.categories and (self.languages is None or language in self.languages)

    def with_encoder(self, embed: Embed, digest: str) -> Strategy:
        """The strategy with another encoder; itself where it needs none.

        Args:
            embed: Gives the vectors of texts; called only when a document is cut.
            digest: Names the vectors' space, for ``settings``.
        """
        return self

    def with_budget(self, budget: Budget) -> Strategy:
        """The strategy measured by another budget; itself where it measures in characters."""
        return self

    @property
    def settings(self) -> str:
        """What besides the version decides how it cuts, as ``name=value`` separated by spaces."""
        return f"limit={self.limit}"

    @property
    def summary(self) -> str:
        """The first line of the class docstring."""
        return (self.__doc__ or "").strip().splitlines()[0]


_REGISTRY: dict[str, Strategy] = {}
S = TypeVar("S", bound=Strategy)


def register(cls: type[S]) -> type[S]:
    """Class decorator: make a strategy known by its name."""
    if cls.name in _REGISTRY:
        raise ValueError(f"two strategies are named {cls.name!r}")
    _REGISTRY[cls.name] = cls()
    return cls


def strategies() -> tuple[Strategy, ...]:
    """All strategies, in the order of their names."""
    _load()
    return tuple(_REGISTRY[name] for name in sorted(_REGISTRY))


def strategy(name: str) -> Strategy:
    """The strategy of that name.

    Raises:
        KeyError: There is none; the message lists those there are.
    """
    _load()
    if name not in _REGISTRY:
        raise KeyError(f"no strategy {name!r}; there are: {', '.join(sorted(_REGISTRY))}")
    return _REGISTRY[name]


def select(names: Iterable[str] | None) -> tuple[Strategy, ...]:
    """The named strategies in registry order, or all of them for ``None``."""
    if names is None:
        return strategies()
    wanted = {strategy(name).name for name in names}
    return tuple(each for each in strategies() if each.name in wanted)


def _load() -> None:
    """Import the modules that register strategies; done late so that they can import this one."""
    import chunk_pipeline.chunking.conversation.strategies
    import chunk_pipeline.chunking.document.strategies
    import chunk_pipeline.chunking.instance_yaml.strategies
    import chunk_pipeline.chunking.javascript.strategies
    import chunk_pipeline.chunking.javascript.syntax
    import chunk_pipeline.chunking.json.strategies
    import chunk_pipeline.chunking.json.syntax
    import chunk_pipeline.chunking.markdown.strategies
    import chunk_pipeline.chunking.registry_csv.strategies
    import chunk_pipeline.chunking.text.strategies
    import chunk_pipeline.chunking.vue.strategies
    import chunk_pipeline.chunking.vue.syntax
    import chunk_pipeline.chunking.website.hybrid_strategy
    import chunk_pipeline.chunking.website.strategies  # noqa: F401  (registers)
