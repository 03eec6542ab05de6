from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.careful import CarefulEncoder
from chunk_pipeline.embedding.vectors import EncoderError, Progress
from tests.faults.small_project import unit_vectors

DIMENSION = 8
TEXTS = [f"text {number}" for number in range(11)]
pytestmark = pytest.mark.fault


@dataclass
class Small:
    """An encoder with memory for a few texts at a time."""

    room: int
    error: type[Exception] = MemoryError
    message: str = ""
    key: str = "small"
    dimension: int = DIMENSION
    given: list[int] = field(default_factory=list)

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.given.append(len(texts))
        if len(texts) > self.room:
            raise self.error(self.message)
        if progress is not None:
            progress(len(texts), len(texts))
        return unit_vectors(texts, DIMENSION)


@dataclass
class Hanging:
    """An encoder that gives nothing after its first batch until it is let go."""

    go_on: threading.Event
    key: str = "hanging"
    dimension: int = DIMENSION
    ended: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        assert progress is not None
        progress(1, len(texts))
        self.go_on.wait(60)
        try:
            progress(2, len(texts))
        except Exception as error:
            self.ended.append(type(error).__name__)
            raise
        return unit_vectors(texts, DIMENSION)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError, ""),
        (RuntimeError, "CUDA out of memory. Tried to allocate 2.00 GiB"),
        (RuntimeError, "DefaultCPUAllocator: can't allocate memory: you tried to allocate 96 bytes"),
    ],
    ids=["row14-python", "row14-gpu", "row14-processor"],
)
@pytest.mark.parametrize("room", [1, 3, 10, 11])
def test_where_memory_runs_out_it_is_given_halves_and_the_bits_stay(
    room: int, error: type[Exception], message: str
) -> None:
    small, told = Small(room, error, message), list[tuple[int, int]]()
    vectors = CarefulEncoder(small, 60).encode(TEXTS, lambda done, total: told.append((done, total)))
    assert np.array_equal(vectors, unit_vectors(TEXTS, DIMENSION))
    assert small.given[0] == len(TEXTS)
    assert [each for each in small.given if each <= room] == [done - before for before, done in _steps(told)]
    assert told[-1] == (len(TEXTS), len(TEXTS))


def _steps(told: list[tuple[int, int]]) -> list[tuple[int, int]]:
    done = [each for each, _ in told]
    return list(zip([0, *done], done, strict=False))


def test_row14_one_text_that_is_too_much_is_told() -> None:
    with pytest.raises(EncoderError, match=r"too little memory for one text of 6 characters .*smaller model"):
        CarefulEncoder(Small(0), 60).encode(TEXTS)


def test_row12_another_error_is_not_taken_for_want_of_memory() -> None:
    small = Small(3, RuntimeError, "the tokenizer is broken")
    with pytest.raises(RuntimeError, match="tokenizer is broken"):
        CarefulEncoder(small, 60).encode(TEXTS)
    assert small.given == [len(TEXTS)]


def test_row12_an_encoder_that_hangs_is_left_alone_and_ends_when_it_wakes() -> None:
    hanging = Hanging(threading.Event())
    with pytest.raises(EncoderError, match=r"hanging gave nothing for 0.2 seconds.*ENCODER_SECONDS"):
        CarefulEncoder(hanging, 0.2).encode(TEXTS)
    hanging.go_on.set()
    for thread in threading.enumerate():
        if thread.daemon and "_work" in thread.name:
            thread.join(60)
    assert hanging.ended == ["_StoppedError"]


def test_row12_an_encoder_that_is_slow_but_moves_is_waited_for() -> None:
    class Slow(Small):
        def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
            assert progress is not None
            pause = threading.Event()
            for number in range(len(texts)):
                pause.wait(0.15)
                progress(number + 1, len(texts))
            return unit_vectors(texts, DIMENSION)

    assert len(CarefulEncoder(Slow(99), 1.5).encode(TEXTS)) == len(TEXTS)


def test_row02_who_stops_waiting_stops_the_encoder() -> None:
    hanging = Hanging(threading.Event())

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CarefulEncoder(hanging, 60).encode(TEXTS, interrupt)
    hanging.go_on.set()
    for thread in threading.enumerate():
        if thread.daemon and "_work" in thread.name:
            thread.join(60)
    assert hanging.ended == ["_StoppedError"]
