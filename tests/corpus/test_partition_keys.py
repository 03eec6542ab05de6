from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.corpus.partition_keys import MAX_KEY_LENGTH, partition_key, source_name

NAMES = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=40)
TROUBLE = st.text(alphabet="aA~0.,/|: -_'\"é🦀\n\0", min_size=1, max_size=30)


@pytest.mark.parametrize("name", ["kdk", "field-notes", "v1.2_x", "a.b.c"])
def test_a_plain_name_is_its_own_key(name: str) -> None:
    assert partition_key(name) == name


@settings(max_examples=200, deadline=None)
@given(NAMES | TROUBLE)
def test_a_key_is_safe_and_gives_its_name_back(name: str) -> None:
    key = partition_key(name)
    assert re.fullmatch(r"[a-z0-9._~-]+", key)
    assert ".." not in key
    assert not key.startswith(".")
    assert not key.endswith(".")
    assert source_name(key) == name


@settings(max_examples=200, deadline=None)
@given(TROUBLE, TROUBLE)
def test_two_names_never_share_a_folder_even_without_case(one: str, other: str) -> None:
    if one != other:
        assert partition_key(one).lower() != partition_key(other).lower()


@pytest.mark.parametrize(
    "name", ["..", "../../etc", "a/b", "a,b", "a|b", "C:\\x", "naïve name", "Kapp", "ＫＡＰＰ"]
)
def test_traversal_and_separators_are_gone(name: str) -> None:
    assert not set(partition_key(name)) & set("/\\,|: ")
    assert ".." not in partition_key(name)
    assert source_name(partition_key(name)) == name


def test_composed_and_decomposed_letters_stay_apart() -> None:
    assert partition_key("caf\u00e9") != partition_key("cafe\u0301")


def test_a_long_name_of_another_script_fits() -> None:
    name = "漢" * 35
    assert len(partition_key(name)) <= MAX_KEY_LENGTH
    assert source_name(partition_key(name)) == name


def test_a_name_too_long_for_a_folder_is_refused_with_advice() -> None:
    assert partition_key("x" * MAX_KEY_LENGTH)
    with pytest.raises(ValueError, match="choose a shorter name"):
        partition_key("x" * (MAX_KEY_LENGTH + 1))


@pytest.mark.parametrize("name", ["", "\ud800"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        partition_key(name)


@pytest.mark.parametrize("key", ["", "A", "a/b", "~", "~0~", "~0zz~", "~0k~", "..", "~0c5~", "x~0k4"])
def test_what_no_name_gives_is_not_a_key(key: str) -> None:
    with pytest.raises(ValueError, match="not a partition key"):
        source_name(key)
