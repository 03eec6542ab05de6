"""LangChain's recursive splitter gives the same chunks with our spans beside them."""

from __future__ import annotations

import pytest
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from chunk_pipeline.chunking.langchain_spans import DEFAULT_SEPARATORS, recursive_spans_langchain

SCRIPT = """\
import { a } from './a'
function one () { return a }
function one () { return a }
const class = 1
class Point { if (x) { default } }
class
if (a) b
if (a) b
"""
PAGE = "<div><p>a a a</p><p>a a a</p></div>\n<div><p>a a a</p></div>\n" * 3


def _separators(language: Language) -> list[str]:
    return RecursiveCharacterTextSplitter.get_separators_for_language(language)


@pytest.mark.parametrize(
    ("text", "separators"),
    [
        (SCRIPT, _separators(Language.JS)),
        (SCRIPT, list(DEFAULT_SEPARATORS)),
        (PAGE, _separators(Language.HTML)),
        ("a" * 50 + " " + "a" * 70, ["\n## ", "\n", " "]),
    ],
    ids=["javascript", "default", "html", "a word that no separator cuts"],
)
@pytest.mark.parametrize(("size", "overlap"), [(40, 15), (20, 0), (12, 11), (5, 2)])
def test_chunks_are_langchains_and_lose_nothing(
    text: str, separators: list[str], size: int, overlap: int
) -> None:
    splitter = RecursiveCharacterTextSplitter(
        separators, is_separator_regex=True, chunk_size=size, chunk_overlap=overlap
    )
    spans = list(recursive_spans_langchain(text, size, overlap, separators))
    assert [text[span.start : span.end] for span in spans] == splitter.split_text(text)
    ends = [0, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(text)]
    assert not any(text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    assert all(end - start <= overlap for end, start in zip(ends, starts, strict=True))


def test_an_overlap_that_places_cannot_tell_apart_is_refused() -> None:
    with pytest.raises(ValueError, match=r"overlap 2000000: .* less than"):
        list(recursive_spans_langchain("a", 3_000_000, 2_000_000))
