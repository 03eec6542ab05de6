"""The race of the incremental stores, with the real stores on a few made files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks._incremental_contest import STEPS
from benchmarks._incremental_race import ROUNDS, Race, StoreFailedError, Worker, troubles
from benchmarks._incremental_worker import ENTRANTS, OURS

FILES = {
    f"folder/{number:03}.md": "".join(f"File {number} has line {line}.\n" for line in range(150))
    for number in range(12)
}

ABSENT_IN = {"langchain_incremental": {"delete", "rename"}}
"""Steps after which a store holds what it should not, by its own design: it never hears of what is gone."""


@pytest.fixture(params=[key for key, entrant in ENTRANTS.items() if entrant.by_default])
def worker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Worker]:
    entrant = ENTRANTS[request.param]
    if entrant.package:
        # The peers come with the extra 'bench' only.
        pytest.importorskip(entrant.package)
    with closing(Worker(request.param, tmp_path / request.param)) as made:
        yield made


@pytest.mark.slow
def test_each_store_runs_every_step_and_is_exact_where_it_can_be(worker: Worker) -> None:
    told: list[str] = []
    race = Race([worker], FILES, told.append)
    (found,) = race.run()
    assert [len(found.steps[step]) for step in STEPS] == [1, ROUNDS, ROUNDS, 1, 1, 1]
    assert len(told) == 4 + 2 * ROUNDS
    assert found.texts("cold") > 12
    assert found.texts("nothing") == 0
    assert {step for step in STEPS if not found.exactness(step).exact} == ABSENT_IN.get(worker.key, set())
    assert all(each.exact for each in race.from_scratch().values())


@pytest.mark.parametrize("worker", [OURS], indirect=True)
def test_ours_keeps_its_old_state_when_the_encoder_fails_and_all_equal_files_but_the_deleted(
    worker: Worker,
) -> None:
    answers = {
        trouble: answer for trouble, found in troubles([worker], FILES).items() for answer in found.values()
    }
    assert answers == {
        "the encoder fails: left": "the old state",
        "the encoder fails: the caller is told": "yes",
        "the next update": "exact",
        "first of equal files deleted": "exact",
        "last of equal files deleted": "exact",
    }


@pytest.mark.parametrize("worker", [OURS], indirect=True)
def test_a_store_that_breaks_is_named_with_its_error(worker: Worker) -> None:
    with pytest.raises(
        StoreFailedError, match=r"ours, dense index: judge ended its process: .*open one first"
    ):
        worker.judge()
