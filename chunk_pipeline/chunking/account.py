"""Records in and records out: that of rows or messages none is lost without a reason.

Spans prove characters; a person who keeps a registry counts rows. Each format counts its own records, in the
source and in the chunks apart, so that one can catch the other.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Account:
    """The records of one document.

    Attributes:
        what: What is counted: ``rows`` or ``messages``.
        records: How many the source holds.
        chunked: Those that begin a chunk, or several.
        joined: Those that stand in a chunk that another record begins.
        skipped: Those left out on purpose, as (reason, number), by reason.
    """

    what: str
    records: int
    chunked: int
    joined: int = 0
    skipped: tuple[tuple[str, int], ...] = ()

    @property
    def lost(self) -> int:
        """Records that are nowhere; negative where some are counted twice."""
        return self.records - self.chunked - self.joined - sum(number for _, number in self.skipped)
