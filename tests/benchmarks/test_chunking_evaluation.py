"""The benchmark on a gold set made elsewhere: its chunkers give the reference's counts, BM25 its figures."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from benchmarks.chunking_evaluation import NAME, REFERENCE, Found, chunk_table, chunkers, gold, measure

KNOWN = yaml.safe_load(REFERENCE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def texts(corpora: Path) -> dict[str, str]:
    folder = corpora / "corpora" / NAME
    return {path.stem: path.read_bytes().decode("utf-8") for path in sorted(folder.glob("*.md"))}


def test_the_chunkers_of_the_reference_give_its_counts(texts: dict[str, str]) -> None:
    made = chunkers(KNOWN["separators"])
    counts = {name: sum(len(made[name](text)) for text in texts.values()) for name in KNOWN["figures"]}
    assert counts == {name: figures[0] for name, figures in KNOWN["figures"].items()}


def test_bm25_over_chunks_of_a_fixed_size_finds_what_the_reference_says(
    corpora: Path, texts: dict[str, str]
) -> None:
    questions = gold(corpora / "corpora" / NAME)
    chunks = chunk_table(texts, chunkers(KNOWN["separators"])["fixed 800"])
    found = measure(questions, chunks, encoder=None)["BM25"]
    assert questions.num_rows == 472
    assert found.agrees(KNOWN["figures"]["fixed 800"][2], KNOWN["within"]["BM25"])
    assert found.low < found.recall < found.high
    assert found.iou == pytest.approx(found.repeated_iou), "nothing overlaps"


def test_a_figure_agrees_within_so_many_points_of_each() -> None:
    found = Found(recall=80.0, low=77.0, high=83.0, iou=7.0, repeated_iou=6.0)
    assert found.agrees([81.9, 6.1], [2.0, 0.2])
    assert not found.agrees([82.1, 6.1], [2.0, 0.2])
    assert not found.agrees([80.0, 7.0], [2.0, 0.2])
