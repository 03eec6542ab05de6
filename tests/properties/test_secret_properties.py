"""Redacting: once is enough, JSON stays JSON, and nothing but values changes."""

from __future__ import annotations

import json
import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.corpus.secrets.detection import redact, without
from tests.corpus.planted_secrets import IN_CONTEXT, PASSWORD, PRIVATE_KEY, SECRET_VALUE, TOKENS

VALUES = (*TOKENS.values(), *(text for text, _ in IN_CONTEXT.values()), PASSWORD, SECRET_VALUE)
NAMES = ("password", "apiKey", "client_secret", "token", "Passwort", "id", "private_key")
PIECES = st.one_of(
    st.sampled_from(VALUES),
    st.sampled_from([f"{name}{sign}" for name in NAMES for sign in (": ", "=", '": "', "': '", '\\": \\"')]),
    st.sampled_from(
        ['"', "'", "\\", "\n", "\\n", "{", "}", ",", "(", "-----BEGIN ", "://a:", "@b", "Bearer "]
    ),
    st.text(max_size=12),
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
PATHS = st.sampled_from(["a.json", "a.yaml", "a.js", "notes.md", "a.csv"])
STRINGS = st.one_of(st.text(max_size=20), TEXTS)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), STRINGS
)


def trees(names: st.SearchStrategy[str]) -> st.SearchStrategy[object]:
    return st.recursive(
        LEAVES,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
        max_leaves=12,
    )


@settings(max_examples=400, deadline=None)
@given(TEXTS, PATHS)
def test_redacting_again_changes_nothing(text: str, path: str) -> None:
    once = redact(text, path)
    again = redact(once.text, path)
    assert (again.text, again.secrets) == (once.text, ())


@settings(max_examples=400, deadline=None)
@given(TEXTS, PATHS)
def test_all_characters_outside_values_stay(text: str, path: str) -> None:
    redacted = redact(text, path)
    spans = redacted.secrets
    assert all(0 <= each.start < each.end <= len(text) for each in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert without(text, spans) == redacted.text
    outside = []
    done = 0
    for each in spans:
        outside.append(text[done : each.start])
        done = each.end
    outside.append(text[done:])
    pattern = r"\(REDACTED:\w+\)".join(map(re.escape, outside))
    assert re.fullmatch(pattern, redacted.text)


@settings(max_examples=300, deadline=None)
@given(
    trees(st.one_of(st.sampled_from(NAMES), st.text(max_size=8))), st.sampled_from([None, 2]), st.booleans()
)
def test_json_stays_json_of_the_same_shape(tree: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=ascii_only)
    assert _shape(json.loads(redact(text, "a.json").text)) == _shape(tree)


@settings(max_examples=100, deadline=None)
@given(trees(STRINGS))
def test_json_with_secrets_for_names_stays_json(tree: object) -> None:
    json.loads(redact(json.dumps(tree), "a.json").text)


@given(st.sampled_from(VALUES[: len(TOKENS)]), st.text(max_size=20), st.text(max_size=20))
def test_a_token_between_spaces_is_always_found(token: str, before: str, after: str) -> None:
    assert token not in redact(f"{before} {token} {after}", "notes.md").text


@given(st.integers(0, 11), st.integers(1, 3))
def test_a_private_key_in_json_leaves_none_of_its_lines(first: int, indent: int) -> None:
    lines = PRIVATE_KEY.split("\n")
    text = json.dumps({"before": lines[:first], "key": lines, "joined": PRIVATE_KEY}, indent=indent)
    redacted = redact(text, "a.json").text
    assert not [line for line in lines[1:-1] if line in redacted and line not in lines[1:first]]
    json.loads(redacted)


def _shape(tree: object) -> object:
    """A tree without its texts."""
    if isinstance(tree, dict):
        return {name: _shape(each) for name, each in tree.items()}
    if isinstance(tree, list):
        return [_shape(each) for each in tree]
    return "text" if isinstance(tree, str) else tree
