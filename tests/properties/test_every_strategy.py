"""What holds for any document under every strategy that is registered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from documents import PATHS, document, glued, kinds, texts, whole
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from large_documents import LARGE_RECORD, SHAPES

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError, chunk_id
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.rebuilding import rebuilt
from chunk_pipeline.chunking.registry import Strategy, strategies
from chunk_pipeline.chunking.registry import strategy as named

EVERY = pytest.mark.parametrize("name", [each.name for each in strategies()])
OURS = [each.name for each in strategies() if each.promises_limit and not each.needs_encoder]
"""Those that keep a limit, for each format. The baselines are as slow as the libraries that they show."""
BLANKS = ["", " ", "\n", "\r", "\ufeff", "\x00", "a", "é", "😀", "\u0301", " \r\n\t\u3000\u2028 "]


def cut(strategy: Strategy, source: Document, times: int) -> tuple[list[Chunk], list[Skip]] | None:
    """Chunks and skips, the same each time; ``None`` where the document is quarantined."""
    try:
        pieces = list(strategy.cut(source))
    except UnparsableError:
        return None
    assert all(list(strategy.cut(source)) == pieces for _ in range(times - 1))
    chunks = [each for each in pieces if isinstance(each, Chunk)]
    return chunks, [each for each in pieces if isinstance(each, Skip)]


def check(strategy: Strategy, source: Document, times: int = 2) -> None:
    """Everything that a strategy promises, and what all do."""
    pieces = cut(strategy, source, times)
    if pieces is None:
        return
    chunks, skips = pieces
    proof = prove(source.text, chunks, skips, strategy.format, strategy.ceiling, strategy.size)
    assert proof.holds, faults(proof)
    assert proof.shared == proof.overlap
    assert proof.parsing == proof.chunks or not strategy.promises_integrity, proof.unparsable
    assert proof.sizes.over_limit == 0 or not strategy.promises_limit, proof.sizes
    assert len({chunk_id(strategy.name, source, chunk) for chunk in chunks}) == len(chunks)
    assert all(skip.reason and (len(skip.span) or not source.text) for skip in skips)
    for chunk in chunks:
        assert chunk.body.strip(), chunk
        assert not chunk.metadata.indivisible or strategy.size(chunk.text) > strategy.ceiling, chunk
    if all(len(chunk.spans) == 1 and chunk.body == sliced(source.text, chunk) for chunk in chunks):
        assert_rebuilt(source.text, chunks)


def sliced(text: str, chunk: Chunk) -> str:
    return text[chunk.spans[0].start : chunk.spans[0].end]


def assert_rebuilt(text: str, chunks: list[Chunk]) -> None:
    """The chunks give the source but for what is between them, and with that the whole of it."""
    # The first chunk alone may stand anywhere.
    ordered = sorted(chunks, key=lambda chunk: chunk.spans[0].start)
    assert rebuilt(len(text), ordered, lambda gap: text[gap.start : gap.end]) == text


def faults(proof: Proof) -> object:
    """What to look at first in a proof that does not hold."""
    return (
        proof.uncovered,
        proof.inexact,
        proof.disordered,
        proof.misjoined,
        proof.left_out.misplaced,
    )


@EVERY
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_document_is_cut_as_promised(name: str, data: st.DataObject) -> None:
    strategy = named(name)
    category, language = data.draw(st.sampled_from(kinds(strategy)))
    check(strategy, document(data.draw(texts(language)), category, language))


@EVERY
def test_a_document_of_each_kind_is_cut_as_promised(name: str) -> None:
    strategy = named(name)
    for category, language in kinds(strategy):
        check(strategy, document(whole(language), category, language))
    for language, category in {language: category for category, language in kinds(strategy)}.items():
        for text in glued(language):
            check(strategy, document(text, category, language))


@EVERY
def test_next_to_nothing_is_cut_as_promised(name: str) -> None:
    strategy = named(name)
    for category, language in kinds(strategy):
        for text in BLANKS:
            check(strategy, document(text, category, language))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", OURS)
def test_large_documents_are_cut_as_promised(name: str, shape: Callable[[str], str]) -> None:
    strategy = named(name)
    found = kinds(strategy)
    category, language = next((each for each in found if each[1] in (strategy.format, "text")), found[0])
    text = shape(language)
    # Who counts tokens cuts ten times slower than who counts characters.
    check(
        strategy,
        document(text[:LARGE_RECORD] if strategy.needs_budget else text, category, language),
        times=1,
    )


@pytest.mark.parametrize("name", [each.name for each in strategies() if each.needs_budget])
def test_a_model_that_reads_little_is_given_little(name: str) -> None:
    strategy = named(name).with_budget(Budget(lambda text: len(text) // 3 + 2, 90, "a third"))
    for category, language in kinds(strategy):
        check(strategy, document(whole(language), category, language), times=1)
        assert cut(strategy, document(whole(language), category, language), times=1) is not None


def test_every_strategy_takes_documents() -> None:
    assert PATHS
    for strategy in strategies():
        assert kinds(strategy), strategy.name
