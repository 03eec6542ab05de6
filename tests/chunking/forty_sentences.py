"""The text that the specification's figures are of."""

from __future__ import annotations

WORDS = ("lease", "rent", "loan", "cash", "debt", "wage")
FORTY_SENTENCES = " ".join(
    f"Sentence {i} sets a {WORDS[(i - 1) % 6]} standard for item {i} and states that every customer request "
    "gets a written answer."
    for i in range(1, 41)
)
"""40 sentences, 4,268 characters, 880 tokens of cl100k_base."""
