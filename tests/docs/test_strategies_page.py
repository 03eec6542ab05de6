"""``docs/strategies.md`` says what the strategies do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, UnparsableError
from chunk_pipeline.chunking.registry import strategies, strategy

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
JSON_STRATEGIES = [each.name for each in strategies() if each.name.startswith("json_")]
QUARANTINING = ("json_category", "json_category_breadcrumb", "json_syntax")


def cut(name: str, text: str, path: str = "src/schemas/bookings.create.json") -> list[Chunk]:
    category = "schemas_validation" if "/schemas/" in path else "i18n_translations"
    document = Document("harbour", path, text, category)
    return [each for each in strategy(name).cut(document) if isinstance(each, Chunk)]


@pytest.fixture(scope="module")
def example() -> str:
    return str(re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)[0])


def test_every_json_strategy_has_its_row_and_section() -> None:
    assert re.findall(r"^\| [A-E] \| `(\w+)`", PAGE, flags=re.MULTILINE) == re.findall(
        r"^### [A-E], `(\w+)`", PAGE, flags=re.MULTILINE
    )
    assert sorted(re.findall(r"^### [A-E], `(\w+)`", PAGE, flags=re.MULTILINE)) == JSON_STRATEGIES


def test_the_example_gives_its_head_and_two_properties(example: str) -> None:
    head, *properties = cut("json_category", example)
    assert set(json.loads(head.text)) == {"title", "type", "required"}
    assert [list(json.loads(each.text)) for each in properties] == [["draught"], ["pilotage"]]


def test_the_path_line_is_the_one_shown(example: str) -> None:
    (shown,) = re.findall(r"^// harbour/.*$", PAGE, flags=re.MULTILINE)
    assert [each.header for each in cut("json_category_breadcrumb", example)][1] == shown


def test_lists_become_objects_with_indices_in_b(example: str) -> None:
    (chunk,) = cut("json_recursive_tree", example)
    assert json.loads(chunk.text)["required"]["0"] == "vessel"


def test_a_slice_of_a_long_list_is_opened_and_closed_as_shown() -> None:
    text = json.dumps({"a": {"b": list(range(1, 300))}})
    first, second, *_ = cut("json_syntax", text)
    assert first.body.startswith('{"a": {"b": [1, 2, ')
    assert f"the `opening` `{second.opening}` and the `closing`\n`{second.closing}`" in PAGE
    assert second.unit == "/a/b"


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": "x" "b": 1}', r'{"a": "\ud800"}'])
def test_what_is_no_json_is_text_for_a_and_b_and_quarantined_by_the_others(text: str) -> None:
    assert [each.text for each in cut("json_recursive_text", text)] == [text]
    (fallen,) = cut("json_recursive_tree", text)
    assert fallen.text == text
    assert fallen.metadata.fallback
    for name in QUARANTINING:
        with pytest.raises(UnparsableError, match=r"line 1, column"):
            cut(name, text)


def test_a_key_that_is_written_twice_is_lost_by_b_alone() -> None:
    text = '{"page": {"title": "first", "title": "second"}}'
    for name in JSON_STRATEGIES:
        found = "".join(each.body for each in cut(name, text, "src/i18n/app_en.json"))
        assert "second" in found
        assert ("first" in found) == (name != "json_recursive_tree")


def test_an_empty_object_is_a_chunk_for_a_alone() -> None:
    for name in JSON_STRATEGIES:
        chunks = cut(name, "{}", "src/i18n/app_en.json")
        assert len(chunks) == (1 if name == "json_recursive_text" else 0)
