"""What the contest of the incremental stores counts and concludes. Pure: no store is known here."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

STEPS = ("cold", "nothing", "edit", "shrink", "delete", "rename")
"""The columns of the table, in the order in which they happen."""


@dataclass(frozen=True, slots=True)
class Exactness:
    """How what a store holds differs from what the files say.

    Attributes:
        expected: Different (path, text) that there should be.
        missing: Those of them that are not there.
        stale: Different (path, text) that should not be there.
        repeated: Rows beyond as many as the files have of a (path, text).
        wrong: Rows whose vector is not that of their text.
    """

    expected: int
    missing: int = 0
    stale: int = 0
    repeated: int = 0
    wrong: int = 0

    @property
    def exact(self) -> bool:
        """Whether nothing differs."""
        return not (self.missing or self.stale or self.repeated or self.wrong)

    def __str__(self) -> str:
        counts = {
            "missing": self.missing,
            "stale": self.stale,
            "repeated": self.repeated,
            "wrong vectors": self.wrong,
        }
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "exact"


@dataclass(frozen=True, slots=True)
class Measured:
    """One update.

    Attributes:
        seconds: It took.
        cpu: Seconds of a core that it used; on a busy machine they say more.
        texts: Encoded.
        exactness: Of what is held after it.
    """

    seconds: float
    cpu: float
    texts: int
    exactness: Exactness


@dataclass(frozen=True, slots=True)
class Figures:
    """All updates of one store.

    Attributes:
        name: As printed.
        durable: Whether its bookkeeping at least survives the process.
        steps: The updates of each step, one or more.
    """

    name: str
    durable: bool
    steps: Mapping[str, Sequence[Measured]]

    def seconds(self, step: str) -> float:
        """The median of a step."""
        return statistics.median(each.seconds for each in self.steps[step])

    def cpu(self, step: str) -> float:
        """The median of a step."""
        return statistics.median(each.cpu for each in self.steps[step])

    def texts(self, step: str) -> int:
        """The most that a step encoded."""
        return max(each.texts for each in self.steps[step])

    def exactness(self, step: str) -> Exactness:
        """After the first update of a step that was not exact, or after the last."""
        updates = [each.exactness for each in self.steps[step]]
        return next((each for each in updates if not each.exact), updates[-1])


def compare(
    found: Iterable[tuple[str, str]], expected: Iterable[tuple[str, str]], wrong: int = 0
) -> Exactness:
    """Hold rows against those that there should be.

    Fewer rows than the files have of one (path, text) are no loss: they would find the same.

    Args:
        found: (path, text) of each row that is held.
        expected: (path, text) of each piece of the files.
        wrong: Rows whose vector is not that of their text.
    """
    held, due = Counter(found), Counter(expected)
    return Exactness(
        expected=len(due),
        missing=sum(row not in held for row in due),
        stale=sum(row not in due for row in held),
        repeated=sum(max(0, count - due[row]) for row, count in held.items() if row in due),
        wrong=wrong,
    )


def after_failure(before: Exactness, after: Exactness) -> str:
    """What a failed update of a file left.

    Args:
        before: What is held, against the files before they changed.
        after: The same, against the files as they are now.
    """
    if before.exact:
        return "the old state"
    if after.exact:
        return "the new state"
    gone = f"{before.missing} of {before.expected} old rows gone"
    return f"{gone}, {after.missing} of {after.expected} new ones not there"


def missed(ours: Figures, peers: Iterable[Figures]) -> list[str]:
    """What of the claim does not hold: ours is exact, and ahead of every durable peer, in every column."""
    found = [
        f"{ours.name} is not exact after {step}: {ours.exactness(step)}"
        for step in STEPS
        if not ours.exactness(step).exact
    ]
    for peer in peers:
        if not peer.durable:
            continue
        found += [
            f"{ours.name} is behind {peer.name} at {step}: "
            f"{ours.seconds(step):.2f} s against {peer.seconds(step):.2f} s"
            for step in STEPS
            if ours.seconds(step) >= peer.seconds(step)
        ]
    return found


def table(heading: str, rows: Mapping[str, Sequence[str]]) -> str:
    """Figures of the steps under their names, a store a line, the columns aligned."""
    lines = [(heading, *STEPS), *((name, *cells) for name, cells in rows.items())]
    widths = [max(len(line[column]) for line in lines) for column in range(len(STEPS) + 1)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def seconds_table(figures: Sequence[Figures], ours: Figures | None) -> str:
    """Seconds of each step, and how many times those of ours they are."""

    def cell(each: Figures, step: str) -> str:
        shown = f"{each.seconds(step):.2f}"
        if ours is None or each is ours:
            return shown
        return f"{shown} ({each.seconds(step) / ours.seconds(step):.1f}x)"

    return table(
        "seconds (times ours)", {each.name: [cell(each, step) for step in STEPS] for each in figures}
    )


def cpu_table(figures: Sequence[Figures]) -> str:
    """Seconds of a core that each step used."""
    return table(
        "seconds of a core", {each.name: [f"{each.cpu(step):.2f}" for step in STEPS] for each in figures}
    )


def texts_table(figures: Sequence[Figures]) -> str:
    """Texts that each step encoded."""
    return table("texts encoded", {each.name: [str(each.texts(step)) for step in STEPS] for each in figures})


def exactness_table(figures: Sequence[Figures]) -> str:
    """What is held after each step, against the files."""
    return table("rows held", {each.name: [str(each.exactness(step)) for step in STEPS] for each in figures})
