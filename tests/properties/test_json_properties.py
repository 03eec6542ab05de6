"""What holds for any JSON document."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from json_texts import PLAIN_VALUES, json_texts
from langchain_text_splitters import RecursiveCharacterTextSplitter, RecursiveJsonSplitter

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError, chunk_id
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.json.langchain import cut_text
from chunk_pipeline.chunking.json.split import split_members
from chunk_pipeline.chunking.json.tree import parse_json
from chunk_pipeline.chunking.registry import strategy

BASELINES = ("json_recursive_text", "json_recursive_tree")
OURS = ("json_category", "json_category_breadcrumb")
CATEGORIES = ("schemas_validation", "i18n_translations", "package_tooling", "docs_meta", "other")


def _cut(name: str, source: Document) -> tuple[list[Chunk], list[Skip]]:
    pieces = list(strategy(name).cut(source))
    return [each for each in pieces if isinstance(each, Chunk)], [
        each for each in pieces if isinstance(each, Skip)
    ]


@settings(max_examples=60, deadline=None)
@given(text=json_texts(), category=st.sampled_from(CATEGORIES), name=st.sampled_from(BASELINES + OURS))
def test_cover_is_complete_spans_are_exact_and_ids_are_unique(text: str, category: str, name: str) -> None:
    source = Document("r", "app_en.json", text, category)
    chunks, skips = _cut(name, source)
    proof = prove(text, chunks, skips, "json")
    assert proof.holds, proof
    assert len({chunk_id(name, source, chunk) for chunk in chunks}) == len(chunks)
    assert len({skip.span.start for skip in skips}) == len(skips)
    assert all(len(chunk.header.splitlines()) <= 1 for chunk in chunks)
    if name in OURS:
        assert proof.parsing == proof.chunks


@settings(max_examples=60, deadline=None)
@given(text=json_texts(), category=st.sampled_from(CATEGORIES))
def test_every_leaf_is_in_exactly_one_chunk_of_ours_or_in_a_skip(text: str, category: str) -> None:
    chunks, skips = _cut("json_category", Document("r", "a.json", text, category))
    skipped = [skip.span for skip in skips]
    wanted = Counter(
        (leaf.kind, leaf.value(text))
        for _, leaf in parse_json(text).leaves()
        if not any(span.start <= leaf.start and leaf.end <= span.end for span in skipped)
    )
    found = Counter(
        (leaf.kind, leaf.value(chunk.body)) for chunk in chunks for _, leaf in parse_json(chunk.body).leaves()
    )
    # A package lists the names of its dependencies as values; nothing else is added.
    assert wanted <= found
    assert category == "package_tooling" or wanted == found


@settings(max_examples=100, deadline=None)
@given(
    value=PLAIN_VALUES.filter(lambda each: isinstance(each, list | dict)),
    maximum=st.integers(10, 200),
    minimum=st.none() | st.integers(3, 200),
    ascii_only=st.booleans(),
)
def test_splitting_is_that_of_recursive_json_splitter(
    value: Any, maximum: int, minimum: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    splitter = RecursiveJsonSplitter(max_chunk_size=maximum, min_chunk_size=minimum)
    expected = splitter.split_text(json.loads(text), convert_lists=True, ensure_ascii=False)
    pieces = list(split_members(parse_json(text).named_children(), text, maximum, minimum))
    assert [json.loads(piece.body) for piece in pieces] == [json.loads(each) for each in expected]
    assert [len(piece.body) for piece in pieces] == [
        len(json.dumps(json.loads(piece.body), ensure_ascii=False)) for piece in pieces
    ]


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(st.sampled_from('ab{}[]:," \n\n\u2003é😀'), max_size=400) | st.text(max_size=100),
    size=st.integers(5, 60),
    overlap=st.integers(0, 5),
)
def test_text_spans_are_where_recursive_character_text_splitter_cut(
    text: str, size: int, overlap: int
) -> None:
    expected = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap).split_text(text)
    chunks = [each for each in cut_text(text, size, overlap) if isinstance(each, Chunk)]
    assert [chunk.body for chunk in chunks] == expected
    proof = prove(text, chunks, [], "text")
    assert proof.holds


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.sampled_from('{}[]:,"0123.eE+-truefalsn \\u\n'), max_size=30) | json_texts())
def test_no_text_crashes_a_strategy(text: str) -> None:
    for name in BASELINES + OURS:
        try:
            chunks, skips = _cut(name, Document("r", "a.json", text, "other"))
        except UnparsableError:
            assert name in OURS
        else:
            assert prove(text, chunks, skips, "json").holds
