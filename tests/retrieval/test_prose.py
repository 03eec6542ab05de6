"""The words of prose: folded, with identifiers whole; and one index over prose and code."""

from __future__ import annotations

import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.retrieval.bm25 import BM25Index, build_bm25, postings_of, prose_chunks
from chunk_pipeline.retrieval.prose import prose_terms, terms_of
from chunk_pipeline.retrieval.tokenizer import tokenize


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Musée d'Orsay", ["musee", "orsay"]),
        ("MUSEUM museum Muséum", ["museum", "museum", "museum"]),
        ("Straße Ærø Łódź", ["strasse", "aero", "lodz"]),
        ("ﬁche Ĳssel ２０２５", ["fiche", "ijssel", "2025"]),
        ("NL-HaNA", ["nl-hana", "nl", "hana"]),
        ("nl-hana, 2.14.04.", ["nl-hana", "nl", "hana", "2.14.04", "14", "04"]),
        ("NL-ZH-DHA-A-NA", ["nl-zh-dha-a-na", "nl", "zh", "dha", "na"]),
        ("KTextField archives archief", ["ktextfield", "archives", "archief"]),
        ("Noord-Holland — Brabant", ["noord-holland", "noord", "holland", "brabant"]),
        ("東京都 αρχεία", ["東京", "京都", "αρχεια"]),
        ("संग्रहालय", ["संग्रहालय"]),
        ("a b, c. -x- ...", []),
        ("", []),
    ],
)
def test_case_and_accents_fold_and_identifiers_stay_whole(text: str, terms: list[str]) -> None:
    assert prose_terms(text) == terms


def test_a_path_is_words_only() -> None:
    path = "/".join(["collection"] * 10)
    assert prose_terms(path) == ["collection"] * 10


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aeéèüßçñøłĳﬁΣσς1 -./'", max_size=40))
def test_upper_case_and_accents_never_matter(text: str) -> None:
    plain = "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))
    assert prose_terms(text.upper()) == prose_terms(text) == prose_terms(plain)


MIXED = {
    "a": ("vue", "KTextField label naïve"),
    "b": ("document", "Het naïve label NL-HaNA na de brand"),
    "c": ("document", "Het archief KTextField"),
    "d": ("vue", "textfield archief"),
}


def _index(texts: dict[str, tuple[str, str]]) -> BM25Index:
    chunks = pa.table(
        {
            "chunk_id": list(texts),
            "category": [category for category, _ in texts.values()],
            "text": [text for _, text in texts.values()],
        }
    )
    postings = postings_of(chunks, "s", "r")
    return BM25Index.from_tables(*build_bm25("s", sorted(texts), postings, prose_chunks(chunks)))


def _found(index: BM25Index, query: str) -> list[str]:
    held = index.answering(terms_of(query))
    return [each for each, found in zip(index.chunk_ids.to_pylist(), held, strict=True) if found]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("naive", ["b"]),
        ("naïve", ["a", "b"]),
        ("nl-hana", ["b"]),
        ("text field", ["a"]),
        ("ktextfield", ["c"]),
        ("archief", ["c", "d"]),
        ("KTextField", ["a", "c"]),
    ],
)
def test_each_chunk_is_asked_in_the_terms_of_its_kind(query: str, found: list[str]) -> None:
    index = _index(MIXED)
    assert _found(index, query) == found
    scores, held = index.answer(terms_of(query)), index.answering(terms_of(query))
    assert not scores[~held].any()


def test_a_word_of_both_kinds_counts_once_and_weighs_the_same_in_both() -> None:
    index = _index({"a": ("vue", "label one"), "b": ("document", "label one"), "c": ("vue", "other thing")})
    assert np.array_equal(index.answer(terms_of("label")), index.scores(["label"]))
    assert index.answer(terms_of("label"))[0] == index.answer(terms_of("label"))[1]


def test_an_index_of_code_alone_is_asked_as_the_study_asks_it() -> None:
    texts = {name: ("vue", text) for name, (_, text) in MIXED.items()}
    index = _index(texts)
    for query in ("naïve label", "KTextField", "NL-HaNA", "archief"):
        assert np.array_equal(index.answer(terms_of(query)), index.scores(tokenize(query)))


def test_an_index_of_prose_alone_knows_no_words_of_code() -> None:
    index = _index({name: ("website", text) for name, (_, text) in MIXED.items()})
    assert _found(index, "na") == ["b"]
    assert _found(index, "naïve") == ["a", "b"]
    assert _found(index, "field") == []
