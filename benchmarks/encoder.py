"""Claim: our encoder is at least twice as fast as ``SentenceTransformer.encode`` with its defaults.

The texts are JSON cut every 500 characters: the Kalisio files where CHUNK_PIPELINE_CORPORA is set, else those
of data/sample. Both encode the same texts in interleaved rounds; the ratio is the median of the rounds'
ratios. fp32 is the default; a row for bf16 follows where the processor has it, with the share of each text's
ten nearest that stay. The target is for the class that CHUNK_PIPELINE_COMPUTE=auto takes: fp32 is bound by
the processor's matrix units, at which it runs already. Exits with 1 below target.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from chunk_pipeline.embedding.arrays import Vectors
from chunk_pipeline.embedding.compute import bf16_problem
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.model_files import model_directory
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model

TARGET = 2.0
ROUNDS = 5
TEXTS = 320
CHARACTERS = 500
NEAREST = 10
PEER = "SentenceTransformer.encode"


def main() -> int:
    """Measure, print, and say by the exit code whether the target is met."""
    texts = _texts()
    contenders = _contenders()
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    vectors: dict[str, Vectors] = {}
    for round_ in range(ROUNDS + 1):  # the first warms up
        for name, encode in contenders.items():
            start = time.perf_counter()
            vectors[name] = encode(texts)
            if round_:
                seconds[name].append(time.perf_counter() - start)
    print(f"{len(texts)} texts of {CHARACTERS} characters, {ROUNDS} rounds")
    print(f"{PEER}, defaults: {len(texts) / statistics.median(seconds[PEER]):.1f} texts a second")
    ratios = {}
    for name in contenders:
        if name != PEER:
            ratios[name] = _ratio(seconds[PEER], seconds[name])
            overlap = _overlap(vectors[PEER], vectors[name])
            print(f"{name}: {ratios[name]:.2f} times {PEER}, top-{NEAREST} overlap {overlap:.3f}")
    if "bf16" not in contenders:
        print(f"bf16: not measured, {bf16_problem()}")
    auto = "bf16" if "bf16" in ratios else "fp32"
    print(f"target for {auto}, which auto takes here: {TARGET:g} or more")
    return 0 if ratios[auto] >= TARGET else 1


def _texts() -> list[str]:
    """Whole pieces, evenly taken from all files."""
    corpora = os.environ.get("CHUNK_PIPELINE_CORPORA")
    sample = Path(__file__).resolve().parents[1] / "data" / "sample"
    pieces = []
    for file in sorted((Path(corpora) / "corpora" / "kalisio" if corpora else sample).rglob("*.json")):
        text = file.read_bytes().decode("utf-8-sig", errors="replace")
        pieces += [text[start : start + CHARACTERS] for start in range(0, len(text), CHARACTERS)]
    whole = list(dict.fromkeys(piece for piece in pieces if len(piece) == CHARACTERS))
    return whole[:: max(1, len(whole) // TEXTS)][:TEXTS]


def _contenders() -> dict[str, Callable[[list[str]], Vectors]]:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer

    peer = SentenceTransformer(str(model_directory(model(DEFAULT_MODEL))), device="cpu")
    contenders: dict[str, Callable[[list[str]], Vectors]] = {PEER: peer.encode}
    contenders["fp32"] = load_encoder(DEFAULT_MODEL, "fp32").encode
    if bf16_problem() is None:
        contenders["bf16"] = load_encoder(DEFAULT_MODEL, "bf16").encode
    return contenders


def _ratio(peer: list[float], ours: list[float]) -> float:
    return statistics.median(theirs / own for theirs, own in zip(peer, ours, strict=True))


def _overlap(exact: Vectors, rough: Vectors) -> float:
    """Mean share of each text's nearest neighbours that are the same."""
    near = [_nearest(vectors) for vectors in (exact, rough)]
    shared = [
        len(set(left) & set(right)) for left, right in zip(*(each.tolist() for each in near), strict=True)
    ]
    return statistics.mean(shared) / NEAREST


def _nearest(vectors: Vectors) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    order: np.ndarray[tuple[int, int], np.dtype[np.int64]] = np.argsort(-similarity, axis=1, kind="stable")
    return order[:, :NEAREST]


if __name__ == "__main__":
    sys.exit(main())
