from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.text.semantic import DIMENSION, hashing_embedder, semantic_cuts
from chunk_pipeline.chunking.text.sentences import sentences
from chunk_pipeline.chunking.text.strategies import Semantic

TOPICS = [
    ["A tenant pays rent under a lease.", "The lease sets rent for the tenant.", "Rent is due to a lease.",
     "A tenant may end the lease."],
    ["Bread needs flour and yeast.", "Yeast makes bread rise with flour.", "Knead flour, water and yeast.",
     "Bake bread when yeast did its work with flour."],
    ["Stars orbit inside galaxies.", "Galaxies hold billions of stars.", "Dying stars seed galaxies.",
     "Telescopes show galaxies and stars."],
]  # fmt: skip
TWELVE = " ".join(sentence for topic in TOPICS for sentence in topic)


class Counting:
    """The hashing embedder, and what it was asked for."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        return hashing_embedder(texts)


def bodies(text: str, size: int = 1000, minimum: int = 0, **options: float) -> list[str]:
    cuts = semantic_cuts(text, hashing_embedder, size, minimum, **options)
    return [text[start:end] for start, end, _ in cuts]


def test_twelve_sentences_on_three_topics_are_three_chunks_by_one_call() -> None:
    embed = Counting()
    cuts = semantic_cuts(TWELVE, embed, 1000, threshold=0.9)
    assert [TWELVE[start:end] for start, end, _ in cuts] == [" ".join(topic) for topic in TOPICS]
    assert [len(sentences(TWELVE[start:end])) for start, end, _ in cuts] == [4, 4, 4]
    assert [len(call) for call in embed.calls] == [12]


def test_a_percentile_is_of_the_document_s_own_distances() -> None:
    assert bodies(TWELVE, percentile=80) == [" ".join(topic) for topic in TOPICS]
    assert bodies(TWELVE, percentile=100) == [TWELVE]


def test_sizes_are_kept_within_their_bounds() -> None:
    assert all(len(body) <= 90 for body in bodies(TWELVE, 90, threshold=2.0))
    assert bodies(TWELVE, 1000, 200, threshold=0.9)[0].startswith(" ".join(TOPICS[0]) + " " + TOPICS[1][0])
    assert bodies(TWELVE, 1000, len(TWELVE), threshold=0.0) == [TWELVE]


def test_a_chunk_that_is_too_long_is_cut_at_its_widest_distance() -> None:
    assert bodies(TWELVE, len(" ".join(TOPICS[0])) + 20, threshold=2.0)[0] == " ".join(TOPICS[0])


def test_the_embedder_is_not_asked_about_one_sentence_or_none() -> None:
    embed = Counting()
    assert semantic_cuts("Only one.", embed, 100) == [(0, 9, 0)]
    assert semantic_cuts(" \n", embed, 100) == []
    assert embed.calls == []


def test_an_embedder_that_gives_too_few_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="give one row each"):
        semantic_cuts(TWELVE, lambda texts: hashing_embedder(texts[1:]), 100)


def test_hashed_vectors_are_the_same_everywhere_and_have_unit_length() -> None:
    vectors = hashing_embedder(["Stars and galaxies", "galaxies AND stars", "!?"])
    assert vectors.shape == (3, DIMENSION)
    assert np.array_equal(vectors[0], vectors[1])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 0])
    (stars,) = hashing_embedder(["stars"])
    # Were these others, stored chunks would have been cut by other vectors than their settings say.
    assert {int(place): float(stars[place]) for place in np.flatnonzero(stars)} == {
        97: -0.5,
        121: -0.5,
        313: -0.5,
        376: -0.5,
    }


def test_a_bound_encoder_cuts_and_is_named_in_the_settings() -> None:
    embed = Counting()
    bound = strategy("semantic").with_encoder(embed, "model-1")
    assert isinstance(bound, Semantic)
    assert bound.settings.endswith("encoder=model-1")
    list(bound.cut(Document("r", "a.txt", TWELVE, "text")))
    assert [len(call) for call in embed.calls] == [12]
    assert strategy("recursive").with_encoder(embed, "model-1") is strategy("recursive")
