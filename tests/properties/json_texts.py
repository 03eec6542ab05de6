"""Any JSON text: repeated names, white space, escapes, spellings of numbers, nesting."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
NAMES = ["a", "b", "properties", "title", "required", "oneOf", "$schema", "dependencies", "é/~", "", '"\\\n']
KEYS = st.sampled_from(NAMES) | st.text(st.characters(codec="utf-8"), max_size=6)
LITERALS = ["true", "null", "-0", "1E3", "0.10", "9" * 25, "1e-400"]


class Literal(str):
    """JSON text that is written as it is."""


class Members(list[tuple[str, Any]]):
    """An object, whose names may repeat."""


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.lists(st.tuples(KEYS, inner), max_size=6)
    return st.lists(inner, max_size=6) | members.map(Members)


TREES = st.recursive(st.sampled_from(LITERALS).map(Literal) | TEXT, _containers, max_leaves=40)


@st.composite
def json_texts(draw: st.DrawFn) -> str:
    """A valid JSON text."""
    space = draw(st.sampled_from(["", " ", "\n  ", "\t", "\r\n"]))
    ascii_only = draw(st.booleans())

    def string(value: str) -> str:
        return json.dumps(value, ensure_ascii=ascii_only)

    def write(value: Any) -> str:
        if isinstance(value, Members):
            return (
                "{"
                + f"{space},".join(f"{string(key)}{space}:{write(each)}" for key, each in value)
                + space
                + "}"
            )
        if isinstance(value, list):
            return "[" + space + f",{space}".join(write(each) for each in value) + "]"
        return value if isinstance(value, Literal) else string(value)

    return space + write(draw(TREES)) + space


def _plain(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=6)


PLAIN_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    _plain,
    max_leaves=60,
)
"""Values without repeated names, as ``json.loads`` gives them."""
