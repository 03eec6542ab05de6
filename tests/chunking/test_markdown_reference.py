"""The Markdown table of the reference study, on its own files."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import pytest
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.markdown.langchain import HEADERS
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.corpus.profiles import BUILT_IN

TABLE = {
    "markdown_recursive": (873, 604, 660, 35),
    "markdown_header": (1143, 460, 353, 85),
    "markdown_structure": (1334, 377, 240, 0),
    "markdown_structure_breadcrumb": (1334, 470, 343, 0),
}
BLANK_LINE_BEHIND_HEADING = re.compile(r"(?m)^(#{1,6} .*)\n\n+")


@pytest.fixture(scope="module")
def documents(corpora: Path) -> list[Document]:
    root = corpora / "corpora/kalisio/kdk"
    return [
        Document("kdk", path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"), "markdown")
        for path in sorted((root / "docs").rglob("*.md"))
    ]


def _chunks(name: str, documents: list[Document]) -> list[Chunk]:
    return [
        each for document in documents for each in strategy(name).cut(document) if isinstance(each, Chunk)
    ]


def _as_the_study_writes_it(name: str, chunk: Chunk) -> str:
    """The study's text of the same stretch: a slice of the source has blank lines that its texts have not."""
    if name.startswith("markdown_structure"):
        return BLANK_LINE_BEHIND_HEADING.sub(r"\1\n", chunk.text)
    return chunk.text


def _langchain_headers(documents: list[Document]) -> list[str]:
    headers = MarkdownHeaderTextSplitter(list(HEADERS), strip_headers=False)
    recursive = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
    return [
        text
        for document in documents
        for section in headers.split_text(document.text)
        for text in recursive.split_text(section.page_content)
    ]


def _figures(texts: list[str]) -> tuple[int, int, int, int]:
    sizes = [len(text) for text in texts]
    broken = sum(text.count("```") % 2 for text in texts)
    # The study cuts fractions of a character off.
    return len(texts), int(statistics.mean(sizes)), int(statistics.median(sizes)), broken


def test_the_study_has_the_files_that_its_profile_keeps(documents: list[Document]) -> None:
    assert len(documents) == 139
    assert max(len(document.text.encode()) for document in documents) <= BUILT_IN["default"].cap


@pytest.mark.parametrize("name", [name for name in TABLE if name != "markdown_header"])
def test_the_figures_are_the_studys(name: str, documents: list[Document]) -> None:
    texts = [_as_the_study_writes_it(name, chunk) for chunk in _chunks(name, documents)]
    assert _figures(texts) == TABLE[name]


def test_the_header_splits_figures_are_the_studys_and_its_chunks_are_the_same_characters(
    documents: list[Document],
) -> None:
    theirs = _langchain_headers(documents)
    ours = [chunk.body for chunk in _chunks("markdown_header", documents)]
    assert _figures(theirs) == TABLE["markdown_header"]
    assert (len(ours), sum(text.count("```") % 2 for text in ours)) == (1143, 85)
    assert [_printed(text) for text in ours] == [_printed(text) for text in theirs]


def _printed(text: str) -> str:
    return "".join(character for character in text if character.isprintable() and character != " ")


@pytest.mark.parametrize("name", TABLE)
def test_nothing_is_lost_and_every_span_is_exact(name: str, documents: list[Document]) -> None:
    for document in documents:
        cut = list(strategy(name).cut(document))
        chunks = [each for each in cut if isinstance(each, Chunk)]
        skips = [each for each in cut if isinstance(each, Skip)]
        assert not skips
        proof = prove(document.text, chunks, skips, "markdown")
        assert proof.holds, (document.name, proof)
