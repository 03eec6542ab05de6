"""The vocabulary's table answers for pieces as the encoder does."""

from __future__ import annotations

import numpy as np
import pytest

from chunk_pipeline.chunking.text.vocabulary import _whole_tokens, are_tokens
from chunk_pipeline.chunking.tokens import encode, encoding


def test_whatever_counts_as_a_whole_token_is_one_to_the_encoder() -> None:
    tokens = [each.decode() for each in _whole_tokens()]
    assert len(tokens) > 90_000
    assert {len(numbers) for numbers in encoding().encode_ordinary_batch(tokens, num_threads=1)} == {1}


@pytest.mark.parametrize("text", ["the", " the", "\n\n", "123", " experience", "(", "   "])
def test_pieces_that_are_tokens_are_found(text: str) -> None:
    assert are_tokens(text.encode(), np.array([0, len(text)])).tolist() == [True]


@pytest.mark.parametrize(
    "text", ["", "a\0", "'lll", "zqxwvk", "the the", " responsibilitiesx", "é", "x" * 40, "\xff" * 8]
)
def test_what_is_not_whole_ascii_of_the_vocabulary_is_not_found(text: str) -> None:
    source = text.encode()
    assert are_tokens(source, np.array([0, len(source)])).tolist() == [False]


def test_each_piece_of_a_text_is_judged_by_itself() -> None:
    pieces = ["Some", " words", " zqxwvk", ".", "\n\n", " understanding", " representatives", "é", "a"]
    edges = np.cumsum([0, *(len(each.encode()) for each in pieces)])
    found = are_tokens("".join(pieces).encode(), edges).tolist()
    assert [piece for piece, one in zip(pieces, found, strict=True) if not one] == [" zqxwvk", "é"]
    assert all(len(encode(piece)) == 1 for piece, one in zip(pieces, found, strict=True) if one)
