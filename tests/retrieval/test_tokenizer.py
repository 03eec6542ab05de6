from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.retrieval.tokenizer import MARKS, tokenize


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("userProfile_v2.json", ["user", "profile", "v2", "json"]),
        ("XMLHttpRequest KTextField", ["xml", "http", "request", "text", "field"]),
        ("HTTP2Server a bb C", ["http2", "server", "bb"]),
        ("form/KSelectField: 500", ["form", "select", "field", "500"]),
        ("L'activité est à l'été", ["activit", "est"]),
        ("Жизнь и судьба", ["жизнь", "судьба"]),
        ("ΛΌΓΟΣ", ["λόγος"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("השלום עליכם", ["השלום", "עליכם"]),
        ("全文検索 engine", ["全文", "文検", "検索", "engine"]),
        ("日", []),
        ("", []),
        ("\0 … -- !", []),
    ],
)
def test_splits_identifiers_and_words_of_any_script(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@given(st.text())
def test_gives_lower_case_terms_of_two_characters_or_more(text: str) -> None:
    for term in tokenize(text):
        assert len(term) > 1
        assert term == term.lower() or not term.isascii()


@given(st.text())
def test_composed_and_decomposed_text_have_the_same_terms(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert tokenize(composed) == tokenize(unicodedata.normalize("NFD", text))


def test_real_json_has_the_terms_of_the_reference_rule(corpora: Path) -> None:
    seam = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
    for file in sorted((corpora / "corpora" / "kalisio").rglob("*.json")):
        text = file.read_text(encoding="utf-8-sig")
        parts = [part for word in re.findall("[A-Za-z0-9]+", text) for part in seam.split(word)]
        assert tokenize(text) == [part.lower() for part in parts if len(part) > 1]


def test_no_mark_lies_in_the_planes_that_are_not_looked_through() -> None:
    marks = (chr(code) for code in range(0x300, sys.maxunicode + 1))
    assert "".join(each for each in marks if unicodedata.category(each) in {"Mn", "Mc"}) == MARKS
