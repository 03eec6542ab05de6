"""What holds for any text, any size and any overlap."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.text.recursive import recursive_cuts
from chunk_pipeline.chunking.text.semantic import hashing_embedder, semantic_cuts
from chunk_pipeline.chunking.text.sentences import sentence_cuts, sentences
from chunk_pipeline.chunking.text.spring import spring_texts
from chunk_pipeline.chunking.text.token import token_cuts
from chunk_pipeline.chunking.text.tokens import TokenRuler
from chunk_pipeline.chunking.tokens import encode

FRAGMENTS = [
    "a", "word", "Word", "don't", "'s", "'", "(", "((", "x" * 30, "12345", "7", "<|endoftext|>", "#", "_",
    " ", "  ", "    ", "\t", "\n", "\n\n", "\n  \n", "\n    ", "\r\n", "\r", "\x0c", "\x1c", "\x85", "\xa0",
    "\u2028", "\u3000", "\x00", ". ", "! ", "? ", '." ', ";\n", "...", "Dr. ", "e.g. ", "。", "！」", "各",
    "é", "e\u0301", "👩‍👩‍👧", "🇫🇷", "👍🏽", "\u1112\u1161\u11ab", "\ufeff",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join) | st.text(
    st.characters(codec="utf-8"), max_size=60
)
Cuts = list[tuple[int, int, int]]


def check(text: str, cuts: Cuts) -> None:
    """Nothing but white space is lost, starts ascend, and an overlap is what the chunk before holds too."""
    ends = [0, *(end for _, end, _ in cuts)]
    for (start, end, overlap), last in zip(cuts, ends, strict=False):
        assert start < end
        assert text[start:end] == text[start:end].strip()
        assert start + overlap == last if overlap else not text[last:start].strip()
    assert not text[ends[-1] :].strip()
    assert all(left[0] < right[0] for left, right in pairwise(cuts))


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, size=st.integers(1, 60), share=st.floats(0, 0.99))
def test_recursive_keeps_everything_and_the_limit(text: str, size: int, share: float) -> None:
    overlap = int(size * share)
    cuts = recursive_cuts(text, size, overlap)
    check(text, cuts)
    assert all(end - start <= size and repeated <= overlap for start, end, repeated in cuts)
    starts = [start for start, _, repeated in cuts if repeated]
    assert all(text[start - 1].isspace() for start in starts)


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, size=st.integers(5, 40), share=st.floats(0, 0.9))
def test_recursive_keeps_everything_and_the_limit_in_tokens(text: str, size: int, share: float) -> None:
    cuts = recursive_cuts(text, size, int(size * share), TokenRuler)
    check(text, cuts)
    assert all(len(encode(text[start:end])) <= size or end - start == 1 for start, end, _ in cuts)


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, data=st.data())
def test_the_ruler_counts_any_stretch_as_the_encoder_does(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    stretch = text[start : data.draw(st.integers(start, len(text)))].rstrip()
    start += len(stretch) - len(stretch.lstrip())
    stretch = stretch.lstrip()
    assert TokenRuler(text).count(start, start + len(stretch)) == len(encode(stretch))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, size=st.integers(5, 40), minimum=st.integers(0, 60), shortest=st.integers(0, 6))
def test_token_keeps_everything_and_the_limit(text: str, size: int, minimum: int, shortest: int) -> None:
    cuts = token_cuts(text, size, minimum, shortest)
    check(text, cuts)
    assert all(len(encode(text[start:end])) <= size for start, end, _ in cuts)
    spring_texts(text, size, minimum, shortest)


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, size=st.integers(1, 80), minimum=st.integers(0, 80), threshold=st.floats(0, 2))
def test_sentences_are_packed_without_loss(text: str, size: int, minimum: int, threshold: float) -> None:
    check(text, [(start, end, 0) for start, end in sentences(text)])
    for cuts in (
        sentence_cuts(text, size),
        semantic_cuts(text, hashing_embedder, size, minimum, threshold=threshold),
        semantic_cuts(text, hashing_embedder, size, minimum),
    ):
        check(text, cuts)
        assert all(end - start <= size for start, end, _ in cuts)


def test_a_long_text_of_any_kind_is_cut_in_linear_time() -> None:
    for fragment in ("x", " \n", "\n", "a ", ". ", "e\u0301", "🇫🇷", '."', "\u200d", "- \n", "👩‍👩‍👧 "):
        text = fragment * (200_000 // len(fragment))
        check(text, recursive_cuts(text, 1000, 200))
        check(text, sentence_cuts(text, 1000))
        check(text, token_cuts(text))


def test_five_megabytes_are_cut() -> None:
    text = "A sentence of ordinary words stands here, and another follows it.\n" * 80_000
    for cuts in (recursive_cuts(text, 1000, 200), token_cuts(text), sentence_cuts(text, 1000)):
        check(text, cuts)
