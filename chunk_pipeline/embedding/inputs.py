"""What a model is given of a text: its prefix for the role, a context tag, then the text.

A vector belongs to the whole of this, and is found by its digest: a query and a passage of one wording, or
one text under two tags, are different inputs and never share a vector; a model without prefix, and no tag,
is given the text as it stands. Pure functions. What does not belong here: tokens and vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pyarrow as pa

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES
from chunk_pipeline.embedding.models import Model

Role = Literal["query", "passage"]
"""Whether a text is searched for or searched in."""


def prefix_of(model: Model, role: Role) -> str:
    """What the model wants before a text of that role."""
    return model.query_prefix if role == "query" else model.passage_prefix


def context_tag(facts: Mapping[str, Any] | None) -> str:
    """The context tag of a chunk, like ``[Museum] [NL] ``; empty where neither type nor country is known.

    The type is the primary one: X, mixed, where it is among several, else the first in the order of letters.

    Args:
        facts: The row of a chunk's facts (``CHUNKS.facts``); or what is known of a query.
    """
    if facts is None:
        return ""
    letters = list(facts.get("custodian_type") or ())
    primary = "X" if "X" in letters else min(letters, default="")
    return tag_of(primary, facts.get("country_code") or "")


def tag_of(letter: str, country: str) -> str:
    """The tag of a type letter and a country code, either of which may be empty or, the letter, unknown."""
    parts = [part for part in (TYPE_NAMES.get(letter, ""), country) if part]
    return "".join(f"[{part}] " for part in parts)


def embedded_text(model: Model, role: Role, text: str, context: str = "") -> str:
    """What the model is given of a text."""
    return prefix_of(model, role) + context + text


def embedded_texts(
    model: Model, role: Role, texts: pa.Table, contexts: Sequence[str] | None = None
) -> pa.Table:
    """What the model is given of many texts.

    Args:
        model: The model.
        role: Of all texts.
        texts: A table with ``text`` and, or else it is computed, ``text_sha256``.
        contexts: The tag of each; none by default.

    Returns:
        A table (text, text_sha256, context) in the same order, about what is embedded.
    """
    prefix = prefix_of(model, role)
    tags = list(contexts) if contexts is not None else [""] * texts.num_rows
    if not prefix and not any(tags) and "text_sha256" in texts.schema.names:
        whole, digests = texts["text"].cast(pa.large_string()), texts["text_sha256"]
    else:
        written = [prefix + tag + text for tag, text in zip(tags, texts["text"].to_pylist(), strict=True)]
        whole = pa.array(written, pa.large_string())
        digests = pa.array([digest(each) for each in written], pa.string())
    return pa.table({"text": whole, "text_sha256": digests, "context": pa.array(tags, pa.string())})
