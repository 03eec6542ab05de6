"""The code baselines are LangChain, on any text and with any line ends."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from chunk_pipeline.chunking.chunk import Chunk, Span
from chunk_pipeline.chunking.code_langchain import HTML, JAVASCRIPT, cut_whole
from chunk_pipeline.chunking.line_ends import UnixText
from chunk_pipeline.chunking.vue.streams import cut_streams

TOKENS = st.sampled_from(
    [
        *("\n", "\r\n", "\r", " ", "\x00", "é", "😀", "\u0301"),
        *("\nfunction ", "\nconst ", "\nexport ", "if (a) {", "</", "<div", "<p"),
        *("<template>", "</template>", "<script setup>", "</script>", "<style>", "</style>"),
    ]
)
TEXTS = st.lists(st.one_of(TOKENS, st.text(max_size=4)), max_size=60).map("".join)


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, size=st.integers(min_value=5, max_value=60))
def test_pieces_are_langchains(text: str, size: int) -> None:
    for language, splitter in ((Language.JS, JAVASCRIPT), (Language.HTML, HTML)):
        peer = RecursiveCharacterTextSplitter.from_language(
            language, chunk_size=size, chunk_overlap=size // 4
        )
        ours = cut_whole(text, splitter._replace(size=size, overlap=size // 4))
        bodies = [UnixText(each.body).text for each in ours if isinstance(each, Chunk)]
        assert bodies == [piece for piece in peer.split_text(UnixText(text).text) if not piece.isspace()]


@given(text=TEXTS)
@settings(max_examples=100, deadline=None)
def test_a_span_of_the_twin_is_the_same_text_in_the_stored_one(text: str) -> None:
    unix = UnixText(text)
    assert unix.text == text.replace("\r\n", "\n").replace("\r", "\n")
    for start in range(0, len(unix.text) + 1, 7):
        for end in range(start, len(unix.text) + 1, 5):
            place = unix.stored(Span(start, end))
            assert UnixText(text[place.start : place.end]).text == unix.text[start:end]


@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_streams_ascend_and_name_their_block(text: str) -> None:
    ends = [0]
    for block, each in cut_streams(text):
        if isinstance(each, Chunk):
            assert block in ("template", "script", "style", None)
            assert (block is None) == bool(each.metadata.fallback)
            assert each.spans[0].start + each.overlap >= ends[-1]
            ends.append(each.spans[0].end)
