"""What a run would do, in numbers that are those of the run that follows."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FilesPlan:
    """What became of a source's files since the last run.

    Attributes:
        added: Paths that are new.
        changed: Paths whose content is another.
        removed: Paths that are gone.
        read: Files that are read anew: new content, or a changed profile.
        excluded: How many files each rule leaves out, over all files, by the rule.
        quarantined: Files that cannot be read.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    read: int = 0
    excluded: tuple[tuple[str, int], ...] = ()
    quarantined: int = 0

    @property
    def differ(self) -> int:
        """Paths that are not what they were."""
        return len(self.added) + len(self.changed) + len(self.removed)


@dataclass(frozen=True, slots=True)
class StrategyPlan:
    """What one strategy would do with a source.

    Attributes:
        strategy: Its name.
        files_chunked: Files to cut.
        files_reused: Files whose chunks are taken over.
        chunks_added: Chunks that are not there yet.
        chunks_removed: Chunks that are there and would not be.
        texts_encoded: Texts to encode.
        tokens_encoded: Their tokens.
    """

    strategy: str
    files_chunked: int
    files_reused: int
    chunks_added: int
    chunks_removed: int
    texts_encoded: int
    tokens_encoded: int


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """What a run would do with one source.

    Attributes:
        source: Its name.
        files: Its files.
        strategies: What each strategy would do.
        error: Why it would fail; then the rest is empty and what is stored stays.
    """

    source: str
    files: FilesPlan = field(default_factory=FilesPlan)
    strategies: tuple[StrategyPlan, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do.

    Attributes:
        sources: By source, in the order of the run.
        dropped: Partitions of sources and strategies that left the sources file.
        queries_encoded: Texts of gold queries to encode, over all models.
        query_tokens: Their tokens.
        rolled_up: Whether entities, indexes, rankings and reports would be made anew.
        seconds: How long it would take by the rates measured before; ``None`` where none was.
    """

    sources: tuple[SourcePlan, ...]
    dropped: int
    queries_encoded: int
    query_tokens: int
    rolled_up: bool
    seconds: float | None

    @property
    def files_chunked(self) -> int:
        """Files to cut, over all strategies."""
        return sum(each.files_chunked for source in self.sources for each in source.strategies)

    @property
    def texts_encoded(self) -> int:
        """Texts to encode, those of gold queries among them."""
        texts = (each.texts_encoded for source in self.sources for each in source.strategies)
        return sum(texts) + self.queries_encoded

    @property
    def tokens_encoded(self) -> int:
        """Tokens to encode, those of gold queries among them."""
        tokens = (each.tokens_encoded for source in self.sources for each in source.strategies)
        return sum(tokens) + self.query_tokens

    @property
    def is_empty(self) -> bool:
        """Whether a run would do nothing."""
        idle = not self.dropped and not self.rolled_up and not self.texts_encoded
        return idle and not any(each.error or each.files.differ or each.files.read for each in self.sources)
