"""How a job went, in words that need no orchestrator."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class JobResult:
    """How one job went.

    Attributes:
        name: Source name, or ``evaluate``.
        succeeded: Whether every step succeeded and no blocking check failed.
        up_to_date: Whether there was nothing to do, so that nothing was run.
        counts: What was done, over all assets of the run.
        failed_checks: Checks that failed: name, asset, severity.
        errors: What went wrong, one line a failed asset.
    """

    name: str
    succeeded: bool
    up_to_date: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    failed_checks: tuple[tuple[str, str, str], ...] = ()
    errors: tuple[str, ...] = ()
