"""The public splitters that ours are measured against, each called as its documentation says.

All run in one thread. Where a library gives offsets, its pieces are judged by them; they are taken by the
call that gives them, while the call that is timed is the library's plain one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks._contest import Contender, Piece
from chunk_pipeline.chunking.chunk import Chunk, Document
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.text.pieces import piece_counter
from chunk_pipeline.chunking.tokens import ENCODING, encoding

Texts = Callable[[str], Any]


def characters(size: int, overlap: int) -> list[Contender]:
    """Cutters by characters; the overlap is for those that can."""
    import chonkie
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from semantic_text_splitter import TextSplitter
    from semchunk.semchunk import chunkerify

    recursive = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
    placing = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)
    return [
        _bare("LangChain Recursive, split_text", recursive.split_text),
        _langchain_placed("LangChain Recursive, create_documents with start index", placing),
        _chonkie("chonkie RecursiveChunker (no overlap)", chonkie.RecursiveChunker("character", size)),
        _chonkie("chonkie SentenceChunker", chonkie.SentenceChunker("character", size, overlap)),
        _semantic("semantic-text-splitter TextSplitter", TextSplitter(size, overlap)),
        _semchunk("semchunk, len (no overlap)", lambda: chunkerify(len, size)),
        ours("recursive"),
    ]


def tokens(size: int) -> list[Contender]:
    """Cutters by tokens of cl100k_base, without overlap; ours last."""
    import chonkie
    from langchain_text_splitters import RecursiveCharacterTextSplitter, TokenTextSplitter
    from semantic_text_splitter import TextSplitter
    from semchunk.semchunk import chunkerify

    named: dict[str, Any] = {"encoding_name": ENCODING, "chunk_size": size, "chunk_overlap": 0}
    counted = RecursiveCharacterTextSplitter.from_tiktoken_encoder(**named)
    semantic = TextSplitter.from_tiktoken_model("gpt-4", size)
    vocabulary: Any = encoding()
    return [
        _bare("LangChain TokenTextSplitter", TokenTextSplitter(**named).split_text),
        _bare("LangChain Recursive, from_tiktoken_encoder", counted.split_text),
        _chonkie("chonkie TokenChunker", chonkie.TokenChunker(vocabulary, size)),
        _semantic("semantic-text-splitter, from_tiktoken_model", semantic),
        _semchunk("semchunk, tiktoken", lambda: chunkerify(vocabulary, size)),
        ours("token", forget=piece_counter.cache_clear),
        ours("token, second time", registered="token"),
    ]


def scripts(size: int) -> list[Contender]:
    """Cutters of JavaScript."""
    import chonkie
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter
    from semantic_text_splitter import CodeSplitter
    from tree_sitter_language_pack import get_binding

    separators = RecursiveCharacterTextSplitter.from_language(Language.JS, chunk_size=size, chunk_overlap=0)
    return [
        _bare("LangChain from_language(JS)", separators.split_text),
        _chonkie("chonkie CodeChunker", chonkie.CodeChunker("character", size, "javascript")),
        _semantic("semantic-text-splitter CodeSplitter", CodeSplitter(get_binding("javascript"), size)),
        ours("js_syntax"),
    ]


def markdown(size: int) -> list[Contender]:
    """Cutters of Markdown; the two of LangChain that follow headings know no limit."""
    from langchain_text_splitters import (
        ExperimentalMarkdownSyntaxTextSplitter,
        MarkdownHeaderTextSplitter,
        MarkdownTextSplitter,
    )
    from semantic_text_splitter import MarkdownSplitter

    headings = [("#", "1"), ("##", "2"), ("###", "3")]
    by_heading = MarkdownHeaderTextSplitter(headings, strip_headers=False)

    def by_syntax(text: str) -> list[Any]:
        # It keeps the chunks of the text before, so each text needs one of its own.
        return ExperimentalMarkdownSyntaxTextSplitter(headings, strip_headers=False).split_text(text)

    return [
        _bare(
            "LangChain MarkdownTextSplitter",
            MarkdownTextSplitter(chunk_size=size, chunk_overlap=0).split_text,
        ),
        _bare("LangChain MarkdownHeaderTextSplitter (no limit)", by_heading.split_text),
        _bare("LangChain ExperimentalMarkdownSyntaxTextSplitter (no limit)", by_syntax),
        _semantic("semantic-text-splitter MarkdownSplitter", MarkdownSplitter(size)),
        ours("markdown_syntax"),
    ]


def trees(size: int) -> list[Contender]:
    """Cutters of JSON."""
    from langchain_text_splitters import RecursiveJsonSplitter

    splitter = RecursiveJsonSplitter(max_chunk_size=size)

    def dumped(text: str) -> list[str]:
        return splitter.split_text(json.loads(text), convert_lists=True, ensure_ascii=False)

    return [_bare("LangChain RecursiveJsonSplitter (dumps anew)", dumped), ours("json_syntax")]


def ours(name: str, forget: Callable[[], None] = lambda: None, registered: str = "") -> Contender:
    """One of our strategies.

    Args:
        name: As printed.
        forget: What makes it cold again.
        registered: Its name, if not that.
    """
    way = strategy(registered or name)

    def make() -> Callable[[Document], list[Any]]:
        forget()
        return lambda document: list(way.cut(document))

    def pieces(document: Document) -> list[Piece]:
        chunks = [each for each in way.cut(document) if isinstance(each, Chunk)]
        return [Piece(each.text, each.passage, each.body, each.spans[0].start) for each in chunks]

    return Contender(name, True, make, pieces)


def _contender(name: str, make: Callable[[], Texts], pieces: Callable[[str], list[Piece]]) -> Contender:
    def timed() -> Callable[[Document], Any]:
        split = make()
        return lambda document: split(document.text)

    return Contender(name, False, timed, lambda document: pieces(document.text))


def _bare(name: str, split: Callable[[str], Sequence[Any]]) -> Contender:
    """One that gives texts, or documents without a place."""

    def pieces(text: str) -> list[Piece]:
        found = (getattr(each, "page_content", each) for each in split(text))
        return [Piece(each, each, each, None) for each in found]

    return _contender(name, lambda: split, pieces)


def _langchain_placed(name: str, splitter: Any) -> Contender:
    def split(text: str) -> list[Any]:
        documents: list[Any] = splitter.create_documents([text])
        return documents

    def pieces(text: str) -> list[Piece]:
        return [
            Piece(each.page_content, each.page_content, each.page_content, each.metadata["start_index"])
            for each in split(text)
        ]

    return _contender(name, lambda: split, pieces)


def _chonkie(name: str, chunker: Any) -> Contender:
    def pieces(text: str) -> list[Piece]:
        return [Piece(each.text, each.text, each.text, each.start_index) for each in chunker.chunk(text)]

    return _contender(name, lambda: chunker.chunk, pieces)


def _semantic(name: str, splitter: Any) -> Contender:
    def pieces(text: str) -> list[Piece]:
        return [Piece(each, each, each, start) for start, each in splitter.chunk_indices(text)]

    return _contender(name, lambda: splitter.chunks, pieces)


def _semchunk(name: str, make: Callable[[], Any]) -> Contender:
    def pieces(text: str) -> list[Piece]:
        texts, offsets = make()(text, offsets=True)
        return [Piece(each, each, each, start) for each, (start, _) in zip(texts, offsets, strict=True)]

    return _contender(name, make, pieces)
