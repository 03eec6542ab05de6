from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chunk_pipeline.embedding.compute import ComputeError, bf16_problem
from chunk_pipeline.embedding.encoder import PackedEncoder, load_encoder
from chunk_pipeline.embedding.model_files import model_directory
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model
from chunk_pipeline.embedding.vectors import EncoderError, check_vectors

WORDS = (
    "harbour",
    "KTextField",
    "i18n.labels.title",
    "42",
    "naïve",
    "λόγος",
    "船",
    '{"max":80}',
    "a_b",
    "\U0001f6a2",
)
LENGTHS = (1, 2, 3, 5, 8, 9, 15, 16, 24, 31, 40, 63, 64, 80, 100, 130, 200, 300)


def _texts() -> list[str]:
    """Texts from two to more tokens than the model reads, several of each length."""
    generator = np.random.default_rng(7)
    return [" ".join(generator.choice(WORDS, size=length)) for length in LENGTHS for _ in range(3)]


TEXTS = ["", " \n\t ", "\0", *_texts(), "x" * 5000]


@pytest.fixture(scope="module")
def vectors(encoder: PackedEncoder) -> np.ndarray:
    return encoder.encode(TEXTS)


def test_vectors_equal_those_of_sentence_transformers(vectors: np.ndarray) -> None:
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(model_directory(model(DEFAULT_MODEL))), device="cpu")
    expected = reference.encode(TEXTS, normalize_embeddings=True)
    assert vectors.dtype == np.float32
    assert vectors.shape == expected.shape
    assert np.abs(vectors - expected).max() < 1e-5


def test_a_vector_is_the_same_to_the_bit_in_any_company(encoder: PackedEncoder, vectors: np.ndarray) -> None:
    generator = np.random.default_rng(0)
    for _ in range(25):
        chosen = generator.permutation(len(TEXTS))[: generator.integers(1, 12)]
        assert np.array_equal(encoder.encode([TEXTS[at] for at in chosen]), vectors[chosen])


def test_a_vector_is_the_same_to_the_bit_alone(encoder: PackedEncoder, vectors: np.ndarray) -> None:
    for at in range(0, len(TEXTS), 5):
        assert np.array_equal(encoder.encode([TEXTS[at]])[0], vectors[at])


def test_a_vector_is_the_same_to_the_bit_on_any_number_of_workers(
    encoder: PackedEncoder, vectors: np.ndarray
) -> None:
    assert np.array_equal(replace(encoder, workers=1).encode(TEXTS), vectors)


def test_packed_weights_give_the_bits_of_the_plain_product(
    encoder: PackedEncoder, vectors: np.ndarray
) -> None:
    plain = [
        replace(
            layer,
            project=replace(layer.project, packed=None),
            attended=replace(layer.attended, packed=None),
            widen=replace(layer.widen, packed=None),
            narrow=replace(layer.narrow, packed=None),
        )
        for layer in encoder.network.layers
    ]
    unpacked = replace(encoder, network=replace(encoder.network, layers=tuple(plain)))
    assert np.array_equal(unpacked.encode(TEXTS[::4]), vectors[::4])


def test_bits_hold_on_real_chunks(encoder: PackedEncoder, corpora: Path) -> None:
    file = corpora / "corpora" / "kalisio" / "kdk" / "core" / "client" / "i18n" / "core_fr.json"
    text = file.read_text(encoding="utf-8-sig")
    pieces = [text[start : start + 500] for start in range(0, min(len(text), 20_000), 500)]
    together = encoder.encode(pieces)
    apart = np.vstack([encoder.encode(pieces[place::7]) for place in range(7)])
    order = [at for place in range(7) for at in range(place, len(pieces), 7)]
    assert np.array_equal(apart, together[order])


def test_repeated_texts_are_encoded_once_and_stand_where_they_were(encoder: PackedEncoder) -> None:
    calls: list[tuple[int, int]] = []
    vectors = encoder.encode(["b", "a", "b", "b"], lambda done, total: calls.append((done, total)))
    assert calls[-1] == (2, 2)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(vectors[[1, 0]], encoder.encode(["a", "b"]))


def test_progress_rises_to_the_number_of_texts(encoder: PackedEncoder) -> None:
    calls: list[tuple[int, int]] = []
    encoder.encode(TEXTS, lambda done, total: calls.append((done, total)))
    done = [each for each, _ in calls]
    assert done == sorted(done)
    assert calls[-1] == (len(set(TEXTS)), len(set(TEXTS)))


def test_no_texts_give_no_vectors(encoder: PackedEncoder) -> None:
    assert encoder.encode([]).shape == (0, 384)


def test_the_number_of_threads_is_what_it_was(encoder: PackedEncoder) -> None:
    import torch

    before = torch.get_num_threads()
    encoder.encode(["harbour"])
    assert torch.get_num_threads() == before


def test_bf16_is_near_fp32_or_refused(vectors: np.ndarray, caplog: pytest.LogCaptureFixture) -> None:
    problem = bf16_problem()
    if problem is not None:
        with pytest.raises(ComputeError, match=problem):
            load_encoder(DEFAULT_MODEL, "bf16")
        return
    with caplog.at_level(logging.INFO):
        rough = load_encoder(DEFAULT_MODEL, "bf16")
    assert "computes in bf16: the processor has amx_bf16" in caplog.text
    assert rough.key.endswith("+bf16")
    encoded = rough.encode(TEXTS)
    assert (encoded * vectors).sum(axis=1).min() > 0.999
    assert np.array_equal(rough.encode(TEXTS[10:30]), encoded[10:30])


@pytest.mark.parametrize("broken", [np.nan, np.inf, 0.5])
def test_vectors_that_are_not_of_unit_length_are_refused(broken: float) -> None:
    vectors = np.eye(3, dtype=np.float32)
    vectors[1, 1] = broken
    with pytest.raises(EncoderError, match="vector 1 of 3"):
        check_vectors(vectors, (3, 3))


def test_vectors_of_another_shape_are_refused() -> None:
    with pytest.raises(EncoderError, match=r"shape \(3, 3\), not \(3, 4\)"):
        check_vectors(np.eye(3, dtype=np.float32), (3, 4))
