"""What the contest of the incremental stores counts and concludes, each way of failing one at a time."""

from __future__ import annotations

import pytest

from benchmarks._incremental_contest import (
    STEPS,
    Exactness,
    Figures,
    Measured,
    after_failure,
    compare,
    cpu_table,
    exactness_table,
    missed,
    seconds_table,
    texts_table,
)

DUE = [("a.md", "one"), ("a.md", "two"), ("a.md", "two"), ("b.md", "one")]
EXACT = Exactness(3)


def figures(name: str, seconds: float, *, durable: bool = True, **odd: Measured) -> Figures:
    steps = {step: [Measured(seconds, 0.25, 7, EXACT)] for step in STEPS}
    return Figures(name, durable, steps | {step: [update] for step, update in odd.items()})


def test_what_the_files_say_is_exact_in_any_order() -> None:
    assert compare(reversed(DUE), DUE) == EXACT
    assert EXACT.exact
    assert str(EXACT) == "exact"


def test_one_row_for_two_equal_pieces_of_a_file_is_no_loss() -> None:
    assert compare(DUE[1:] + DUE[:1], DUE).exact
    assert compare([DUE[0], DUE[1], DUE[3]], DUE).exact


@pytest.mark.parametrize(
    ("found", "wrong", "shown"),
    [
        (DUE[:3], 0, "1 missing"),
        ([*DUE, ("c.md", "gone")], 0, "1 stale"),
        ([*DUE, DUE[0]], 0, "1 repeated"),
        (DUE, 2, "2 wrong vectors"),
        # The same text under another path is another row.
        ([*DUE[:3], ("c.md", "one")], 0, "1 missing, 1 stale"),
    ],
)
def test_each_difference_is_counted_as_what_it_is(
    found: list[tuple[str, str]], wrong: int, shown: str
) -> None:
    judged = compare(found, DUE, wrong)
    assert not judged.exact
    assert str(judged) == shown


def test_after_a_failed_update_either_state_is_whole_or_the_loss_is_told() -> None:
    old, new = Exactness(10), Exactness(12)
    torn_old, torn_new = Exactness(10, missing=4), Exactness(12, missing=12, stale=6)
    assert after_failure(old, torn_new) == "the old state"
    assert after_failure(torn_old, new) == "the new state"
    assert after_failure(torn_old, torn_new) == "4 of 10 old rows gone, 12 of 12 new ones not there"


def test_the_median_of_a_step_counts_and_its_first_error() -> None:
    stale = Exactness(3, stale=1)
    updates = [Measured(9, 0.25, 1, EXACT), Measured(1, 0.25, 4, stale), Measured(2, 0.25, 0, EXACT)]
    each = Figures("a store", True, {"edit": updates})
    assert (each.seconds("edit"), each.texts("edit"), each.exactness("edit")) == (2, 4, stale)


def test_ahead_of_all_and_exact_misses_nothing() -> None:
    assert missed(figures("ours", 1), [figures("slower", 2), figures("slowest", 3)]) == []


def test_a_durable_peer_that_is_ahead_in_one_column_is_named_with_it() -> None:
    peer = figures("a peer", 2, rename=Measured(0.5, 0.25, 0, EXACT))
    assert missed(figures("ours", 1), [peer]) == ["ours is behind a peer at rename: 1.00 s against 0.50 s"]


def test_as_fast_is_not_ahead() -> None:
    assert len(missed(figures("ours", 1), [figures("a peer", 1)])) == len(STEPS)


def test_a_peer_that_keeps_nothing_is_not_raced() -> None:
    assert missed(figures("ours", 1), [figures("a peer", 0.1, durable=False)]) == []


def test_one_stale_row_of_ours_breaks_the_claim_and_one_of_a_peer_does_not() -> None:
    stale = Measured(2, 0.25, 0, Exactness(3, stale=1))
    assert missed(figures("ours", 1), [figures("a peer", 2, delete=stale)]) == []
    assert missed(figures("ours", 1, delete=stale), []) == ["ours is not exact after delete: 1 stale"]


def test_the_tables_show_each_store_with_its_ratio_to_ours() -> None:
    ours, peer = figures("ours", 2), figures("a peer", 5)
    lines = seconds_table([ours, peer], ours).splitlines()
    assert lines[0].split()[-len(STEPS) :] == list(STEPS)
    assert lines[1].split() == ["ours", *["2.00"] * len(STEPS)]
    assert lines[2].split() == ["a", "peer", *["5.00", "(2.5x)"] * len(STEPS)]
    assert cpu_table([peer]).splitlines()[1].split() == ["a", "peer", *["0.25"] * len(STEPS)]
    assert texts_table([peer]).splitlines()[1].split() == ["a", "peer", *["7"] * len(STEPS)]
    assert exactness_table([peer]).splitlines()[1].split() == ["a", "peer", *["exact"] * len(STEPS)]


def test_without_ours_there_are_no_ratios() -> None:
    assert "x)" not in seconds_table([figures("a peer", 5)], None)
