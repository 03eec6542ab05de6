"""The chunk viewer's data: every kind of file, exact places, and texts that cannot leave their block."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from viewer_tables import Tables, document, tables_of

from chunk_pipeline.evaluation import viewer
from chunk_pipeline.evaluation.viewer import viewer_payload
from chunk_pipeline.evaluation.viewer_json import script_json
from chunk_pipeline.evaluation.viewer_sample import FALLBACK, LONGEST, OVER_LIMIT, OVERLAP, SKIPS

HOSTILE = "</script><img src=x onerror=alert(1)><!-- \x1b[31m red \u202egnp.exe \u2028 & \ufeff\x00"
PROSE = "The tide turns twice a day 🌊, and the harbour master writes it down. " * 40
NUMBERS = {f"pier{n}": {"depth": n, "name": f"Pier {n}"} for n in range(40)}

DOCUMENTS = (
    document("docs/tides.md", f"# Tides\n\n{PROSE}\n\n## Ebb\n\n{PROSE}"),
    document("docs/emoji.md", "👩‍🚀 𝔘nicode\n\n" + "🚢 sails. " * 200),
    document("src/i18n/app_en.json", json.dumps(NUMBERS, indent=1)),
    document("notes.txt", PROSE),
    document("src/i18n/broken.json", '{"a": '),
)
STRATEGIES = ("json_recursive_text", "json_recursive_tree", "json_syntax", "markdown_syntax", "recursive")


def payload(tables: Tables, recommended: dict[str, str] | None = None, **limits: int) -> dict[str, Any]:
    return viewer_payload(*tables, recommended or {}, **limits)


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of(DOCUMENTS, STRATEGIES)


def named(found: dict[str, Any], path: str) -> dict[str, Any]:
    return next(file for file in found["files"] if file["path"] == path)


def held(text: str, flat: list[int]) -> list[str]:
    """What a script reads at offsets of UTF-16 code units."""
    units = text.encode("utf-16-le")
    pairs = zip(flat[::2], flat[1::2], strict=True)
    return [units[2 * start : 2 * end].decode("utf-16-le") for start, end in pairs]


@pytest.mark.parametrize("path", ["docs/tides.md", "docs/emoji.md", "notes.txt"])
def test_a_script_finds_every_body_at_its_place_also_behind_emoji(tables: Tables, path: str) -> None:
    found = payload(tables)
    file = named(found, path)
    number = [each["name"] for each in found["strategies"]].index("recursive")
    cut = next(cut for cut in file["cuts"] if cut["strategy"] == number)
    bodies = [row["body"] for row in tables.chunks["recursive"].to_pylist() if row["path"] == path]
    assert [held(file["text"], flat) for flat in cut["spans"]] == [[body] for body in bodies]
    assert "body" not in cut


def test_a_body_that_is_no_slice_of_the_text_is_kept(tables: Tables) -> None:
    found = payload(tables)
    file = named(found, "src/i18n/app_en.json")
    number = [each["name"] for each in found["strategies"]].index("json_recursive_tree")
    cut = next(cut for cut in file["cuts"] if cut["strategy"] == number)
    rows = [row for row in tables.chunks["json_recursive_tree"].to_pylist() if row["path"] == file["path"]]
    assert [file["strings"][word] for word in cut["body"]] == [row["body"] for row in rows]
    assert [len(flat) // 2 for flat in cut["spans"]] == [len(row["spans"]) for row in rows]


def test_columns_are_of_the_strategies_that_cut_the_file(tables: Tables) -> None:
    found = payload(tables)
    names = [each["name"] for each in found["strategies"]]
    cutting = {file["path"]: {names[cut["strategy"]] for cut in file["cuts"]} for file in found["files"]}
    assert cutting["docs/tides.md"] == {"markdown_syntax", "recursive"}
    assert cutting["notes.txt"] == {"recursive"}
    assert "json_syntax" not in cutting["src/i18n/broken.json"]


def test_a_strategy_that_could_not_cut_a_file_says_why(tables: Tables) -> None:
    found = payload(tables)
    file = named(found, "src/i18n/broken.json")
    reasons = {found["strategies"][number]["name"]: file["strings"][why] for number, why in file["refused"]}
    assert "not JSON" in reasons["json_syntax"]


def test_the_first_columns_are_the_recommended_strategy_and_the_plain_one(tables: Tables) -> None:
    found = payload(tables, {"i18n_translations": "json_recursive_tree"})
    names = [each["name"] for each in found["strategies"]]
    file = named(found, "src/i18n/app_en.json")
    assert [names[each] for each in file["first"]] == ["json_recursive_tree", "json_recursive_text"]
    assert [names[each] for each in named(found, "docs/tides.md")["first"]] == [
        "markdown_syntax",
        "recursive",
    ]


def test_oddities_are_named(tables: Tables) -> None:
    found = payload(tables)
    assert OVERLAP in named(found, "notes.txt")["oddities"]
    assert FALLBACK in named(found, "src/i18n/broken.json")["oddities"]
    long_word = tables_of([document("a.md", "# A\n\n" + "x" * 3000)], ["markdown_structure"])
    assert OVER_LIMIT in payload(long_word)["files"][0]["oddities"]
    blank = tables_of([document("a.md", "\n\n")], ["recursive"])
    assert payload(blank)["files"][0]["oddities"] == [SKIPS]


def test_text_parses_as_markdown_where_the_report_asks_it_to(tables: Tables) -> None:
    fence = "```js\n" + "const pier = 1\n" * 200 + "```\n"
    found = payload(tables_of([document("a.md", fence)], ["recursive"]))
    assert any(found["files"][0]["cuts"][0]["broken"])


def test_every_category_and_repository_is_shown_before_a_second_of_any() -> None:
    many = [document(f"docs/{n}.md", PROSE, f"repository{n % 5}") for n in range(60)]
    few = [document("src/i18n/en.json", json.dumps(NUMBERS)), document("notes.txt", PROSE)]
    found = payload(tables_of([*many, *few], STRATEGIES), most_files=8)
    assert found["of"] == 62
    assert len(found["files"]) == 8
    assert {file["category"] for file in found["files"]} == {"markdown", "i18n_translations", "text"}
    assert {file["repository"] for file in found["files"]} == {"shop"} | {f"repository{n}" for n in range(5)}


def test_the_sample_does_not_depend_on_the_order_of_rows(tables: Tables) -> None:
    other = tables_of(DOCUMENTS[::-1], STRATEGIES[::-1])
    assert script_json(payload(other, most_files=3)) == script_json(payload(tables, most_files=3))


def test_files_are_taken_only_as_long_as_there_is_room() -> None:
    documents = [document(f"{n}.md", PROSE + str(n)) for n in range(30)]
    found = payload(tables_of(documents, ["recursive"]), most_bytes=30_000)
    assert 5 <= len(found["files"]) < 30
    assert len(script_json(found).encode()) <= 30_000
    assert viewer.BYTES == 600_000


def test_of_a_long_file_the_beginning_is_shown_with_the_chunks_that_begin_in_it() -> None:
    text = ("🌊 " + PROSE) * 12
    tables = tables_of([document("long.txt", text)], ["recursive"])
    [file] = payload(tables)["files"]
    assert file["text"] == text[:LONGEST]
    assert file["characters"] == len(text) > LONGEST
    [cut] = file["cuts"]
    starts = [row["spans"][0]["start"] for row in tables.chunks["recursive"].to_pylist()]
    assert cut["total"] == len(starts)
    assert len(cut["spans"]) == sum(start < LONGEST for start in starts)
    assert cut["spans"][-1][-1] <= len(text[:LONGEST].encode("utf-16-le")) // 2


def test_nothing_in_a_text_ends_the_block_of_data_or_acts_on_a_reader() -> None:
    found = payload(tables_of([document(f"{HOSTILE[:9]}.md", HOSTILE * 30)], ["recursive"]))
    written = script_json(found)
    assert json.loads(written) == found
    assert not re.search("[<>&\x00-\x1f\x7f\u2028\u202e\ufeff]", written)


def test_without_any_file_there_is_nothing_to_show() -> None:
    found = payload(tables_of([], ["recursive"]))
    assert found["files"] == []
    assert found["of"] == 0
