"""Bundle efficiency, counted by hand on texts of a few lines."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from chunk_pipeline.evaluation.bundles import Bundles

TEXTS = pa.chunked_array([["# Map\nopen the Map layer\nclose it\n", "nothing here", "a  map   layer"]])


def test_the_lines_that_mention_the_target_are_counted_with_their_breaks_against_all_that_is_handed() -> None:
    bundles = Bundles(["map layer", "MAP", "close it"], TEXTS)
    ranking = np.array([[0, 1, 2], [0, 1, -1], [1, 0, 2]])
    sizes = [len(text) for text in TEXTS.to_pylist()]
    assert bundles.efficiency(ranking).tolist() == pytest.approx(
        [
            (len("open the Map layer\n") + sizes[2]) / sum(sizes),
            (len("# Map\n") + len("open the Map layer\n")) / (sizes[0] + sizes[1]),
            len("close it\n") / sum(sizes),
        ]
    )


def test_only_the_first_chunks_are_handed_over() -> None:
    assert Bundles(["map layer"], TEXTS).efficiency(np.array([[1, 2]]), k=1).tolist() == [0.0]
    assert Bundles(["map layer"], TEXTS).efficiency(np.array([[2, 1]]), k=1).tolist() == [1.0]


def test_a_row_without_a_target_or_without_chunks_has_none() -> None:
    bundles = Bundles(["", "map"], TEXTS)
    assert bundles.efficiency(np.array([[0], [-1]])).tolist() == [0.0, 0.0]
