"""What holds for any JSON that is cut in slices."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from json_texts import PLAIN_VALUES, json_texts

from chunk_pipeline.chunking.chunk import Chunk
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.json.syntax import cut_json
from chunk_pipeline.chunking.json.tree import parse_json


def _chunks(text: str, limit: int) -> list[Chunk]:
    return [each for each in cut_json(text, limit) if isinstance(each, Chunk)]


def _largest(text: str) -> int:
    """Characters of the longest name and scalar together, in the closest brackets."""
    order = [parse_json(text)]
    largest = 0
    for node in order:
        order.extend(node.children)
        largest = max(largest, len(node.member_span()) if not node.children else node.start - node.key_start)
    return largest + len("{[]}")


@settings(max_examples=150, deadline=None)
@given(text=json_texts(), limit=st.integers(2, 120))
def test_slices_lose_nothing_parse_and_keep_the_limit(text: str, limit: int) -> None:
    pieces = list(cut_json(text, limit))
    chunks = [each for each in pieces if isinstance(each, Chunk)]
    skips = [each for each in pieces if not isinstance(each, Chunk)]
    proof = prove(text, chunks, skips, "json", limit)
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
    assert proof.repeated == 0
    assert proof.sizes.over_limit == 0
    if limit >= _largest(text):
        assert proof.sizes.indivisible == 0


@settings(max_examples=80, deadline=None)
@given(text=json_texts(), limit=st.integers(2, 120))
def test_a_unit_holds_every_name_and_value_of_its_body(text: str, limit: int) -> None:
    nodes = dict(_nodes(text))
    for chunk in _chunks(text, limit):
        node = nodes.get(chunk.unit)
        if node is None:
            continue  # A name that is written twice has two values.
        span, held = chunk.spans[0], node.member_span()
        outside = text[span.start : max(span.start, held.start)] + text[min(span.end, held.end) : span.end]
        assert not outside.strip(" \t\r\n[]{},"), chunk


@settings(max_examples=80, deadline=None)
@given(
    value=PLAIN_VALUES.filter(lambda each: bool(each) and isinstance(each, list | dict)),
    limit=st.integers(2, 80),
)
def test_every_leaf_is_in_one_slice(value: Any, limit: int) -> None:
    text = json.dumps(value)
    found = Counter(
        (leaf.kind, leaf.value(chunk.passage))
        for chunk in _chunks(text, limit)
        for _, leaf in parse_json(chunk.passage).leaves()
    )
    assert found == Counter((leaf.kind, leaf.value(text)) for _, leaf in parse_json(text).leaves())


def _nodes(text: str) -> Iterator[tuple[str, Any]]:
    """Pointers and nodes, without those that two nodes share."""
    from chunk_pipeline.chunking.json.tree import pointer_to

    order = [("", parse_json(text))]
    for pointer, node in order:
        order.extend((pointer_to(pointer, name), child) for name, child in node.named_children())
    seen = Counter(pointer for pointer, _ in order)
    yield from ((pointer, node) for pointer, node in order if seen[pointer] == 1)
