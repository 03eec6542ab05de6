"""The chunk viewer as a person meets it: in a browser, without a network, by keyboard and by mouse."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from browser_page import CHROMIUM, Page, browser
from test_report import EMPTY
from test_viewer import DOCUMENTS, HOSTILE, STRATEGIES
from viewer_tables import Tables, document, tables_of

from chunk_pipeline.evaluation.html import render_html
from chunk_pipeline.evaluation.viewer import viewer_payload

TIDES = "docs/tides.md"
HOSTILE_FILE = document(
    "docs/\u202ehostile<img src=x>.md", f"# {HOSTILE}\n\n{HOSTILE}\r\n\n<b>bold</b>\n\u200f\n👩‍🚀\n"
)
NESTED = document(
    "src/i18n/nested.json",
    json.dumps({"errors": {f"error{n}": "The harbour master says no. " * 5 for n in range(12)}}, indent=1),
)
HOSTILE_NAME = "shop/docs/\\u202ehostile<img src=x>.md"

PIECES = """[...document.querySelectorAll('.column')].map(column =>
    [...column.querySelectorAll('.piece')].map(piece =>
        [...piece.querySelectorAll('.atom')].map(atom => atom.textContent).join('')))"""
"""What each column shows of each chunk, headers and wrappers apart."""

FOCUSED = """(node => node.closest('[data-column]')?.dataset.column + ':' + node.dataset.chunk)(
    document.activeElement)"""
OPEN = "document.querySelector('#viewer-file').textContent"
LISTED = "[...document.querySelectorAll('#viewer-files li:not([hidden]) b')].map(name => name.textContent)"
SAME = "[...document.querySelectorAll('.column:nth-child(%d) .same')].map(atom => atom.textContent).join('')"


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of([*DOCUMENTS, HOSTILE_FILE, NESTED], STRATEGIES)


@pytest.fixture(scope="module")
def address(tables: Tables, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(render_html(EMPTY, viewer_payload(*tables, {})), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def page(chromium: Page, address: str) -> Page:
    chromium.open(address)
    return chromium


def find(page: Page, words: str) -> None:
    """Search as a person does, and go into the first file found."""
    page.press("/")
    page.press(*words)
    page.press("Enter")


def choose(page: Page, strategy: str) -> None:
    """Choose the strategy of the first column; the focus stays in its select box."""
    page.ask(
        f"(select => {{ select.focus(); select.value = '{strategy}';"
        " select.dispatchEvent(new Event('change')) })(document.querySelector('#viewer-choices select'))"
    )


def bodies(tables: Tables, strategy: str, path: str = TIDES) -> list[str]:
    return [row["body"] for row in tables.chunks[strategy].to_pylist() if row["path"] == path]


def test_each_column_shows_what_its_strategy_cuts(page: Page, tables: Tables) -> None:
    find(page, "tides")
    assert page.ask(OPEN) == f"shop/{TIDES}"
    assert page.ask("[...document.querySelectorAll('.column h4')].map(title => title.textContent)") == [
        "markdown_syntax",
        "recursive",
    ]
    assert page.ask(PIECES) == [bodies(tables, "markdown_syntax"), bodies(tables, "recursive")]


def test_text_with_emoji_is_cut_at_the_right_places(page: Page, tables: Tables) -> None:
    find(page, "emoji")
    assert page.ask(PIECES)[1] == bodies(tables, "recursive", "docs/emoji.md")


def test_all_the_text_is_shown_though_no_chunk_holds_it(page: Page) -> None:
    find(page, "app_en")
    choose(page, "json_recursive_tree")
    shown = page.ask(
        "[...document.querySelectorAll('.column:first-child .text > :not(.label)')]"
        ".flatMap(node => [...node.querySelectorAll('.atom')].map(atom => atom.textContent)).join('')"
    )
    text = next(each.text for each in DOCUMENTS if each.path.endswith("app_en.json"))
    assert shown.replace(" ", "") == text.replace(" ", "")


def test_words_find_files_by_path_category_and_repository(page: Page) -> None:
    page.press("/")
    assert page.ask("document.activeElement.id") == "viewer-search"
    page.press(*"i18n shop")
    assert page.ask(LISTED) == ["app_en.json", "broken.json", "nested.json"]
    assert page.ask("document.querySelector('#viewer-count').textContent") == "3 of 7 files"
    page.press(*" brok")
    assert page.ask(LISTED) == ["broken.json"]
    page.press("Enter")
    assert page.ask(OPEN) == "shop/src/i18n/broken.json"
    assert "Not cut by json_syntax: not JSON" in page.ask(
        "document.querySelector('#viewer-refused').innerText"
    )


def test_arrows_and_letters_move_between_chunks_and_columns(page: Page) -> None:
    find(page, "tides")
    assert page.ask(FOCUSED) == "0:0"
    page.press("ArrowDown", "j", "k", "j")
    assert page.ask(FOCUSED) == "0:2"
    page.press("ArrowRight")
    assert page.ask(FOCUSED).startswith("1:")
    page.press("End", "ArrowDown")
    last = page.ask("document.querySelectorAll('.column:last-child .piece').length") - 1
    assert page.ask(FOCUSED) == f"1:{last}"
    page.press("Home")
    assert page.ask(FOCUSED) == "1:0"
    assert page.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_letters_move_between_files(page: Page) -> None:
    find(page, "docs")
    assert page.ask(OPEN) == "shop/docs/emoji.md"
    page.press("n")
    assert page.ask(OPEN) == f"shop/{TIDES}"
    assert page.ask(FOCUSED) == "0:0"
    page.press("n", "n")
    assert page.ask(OPEN) == HOSTILE_NAME
    page.press("p")
    assert page.ask(OPEN) == f"shop/{TIDES}"


def test_tab_goes_from_the_search_through_the_list_and_the_choices_into_the_columns(page: Page) -> None:
    page.press("/")
    seen = []
    for _ in range(9):
        seen.append(
            page.ask(
                "document.activeElement.id || document.activeElement.getAttribute('role')"
                " || document.activeElement.localName"
            )
        )
        page.press("Tab")
    assert seen == [
        "viewer-search", "viewer-help", "option", "select", "select", "select", "group", "group", "summary",
    ]  # fmt: skip


def test_a_question_mark_shows_the_keys_and_escape_takes_them_away(page: Page) -> None:
    page.press("?")
    assert page.ask("document.querySelector('#viewer-keys').open")
    page.press("Escape")
    assert not page.ask("document.querySelector('#viewer-keys').open")


def test_characters_can_be_switched_off_as_keys(page: Page) -> None:
    page.ask("document.querySelector('#viewer-letters').click()")
    page.press("/")
    assert page.ask("document.activeElement === document.body")


def test_a_chunk_pointed_at_is_described_and_found_in_the_other_column(page: Page, tables: Tables) -> None:
    find(page, "tides")
    page.move_to(".column:first-child .piece:nth-of-type(1) .atom")
    facts = page.ask("document.querySelector('#viewer-facts').innerText")
    row = next(row for row in tables.chunks["markdown_syntax"].to_pylist() if row["path"] == TIDES)
    assert f"Chunk 1 of {len(bodies(tables, 'markdown_syntax'))}" in facts
    assert f"{row['n_chars']} characters" in facts
    assert "10 tokens" in facts
    assert "parses on its own" in facts
    assert page.ask(SAME % 2).startswith(row["body"])
    embedded = page.ask("document.querySelector('#viewer-facts pre').textContent")
    assert embedded == row["text"]


def test_overlap_is_marked_where_it_ends_a_chunk_and_where_it_begins_the_next(
    page: Page, tables: Tables
) -> None:
    find(page, "tides")
    marked = page.ask(
        "[...document.querySelectorAll('.column:last-child .piece')].slice(0, 2).map(piece =>"
        " [...piece.querySelectorAll('.shared')].map(atom => atom.textContent).join(''))"
    )
    own = [row for row in tables.chunks["recursive"].to_pylist() if row["path"] == TIDES]
    overlap = own[1]["body"][: own[1]["overlap"]]
    assert overlap
    assert marked[0] == overlap
    assert marked[1].startswith(overlap)


def test_a_key_above_the_values_of_several_chunks_is_drawn_once_and_marked_for_each(page: Page) -> None:
    find(page, "nested")
    choose(page, "json_recursive_tree")
    keys = "[...document.querySelectorAll('.column:first-child .shared')].map(key => key.textContent)"
    assert page.ask(keys) == ['"errors"']
    page.press("Tab", "Tab", "Tab", "End")
    assert page.ask(FOCUSED) != "0:0"
    on = "[...document.querySelectorAll('.column:first-child .atom.on')].map(atom => atom.textContent)"
    key, *values = page.ask(on)
    assert key == '"errors"'
    assert "error11" in "".join(values)
    assert "error0" not in "".join(values)


def test_hostile_text_is_shown_written_out_and_does_nothing(page: Page) -> None:
    find(page, "hostile")
    shown = page.ask("document.querySelector('.column').innerText")
    assert "</script><img src=x onerror=alert(1)><!-- \\x1b[31m red \\u202egnp.exe \\u2028" in shown
    assert "\\x00" in shown
    assert "\\r" in shown
    assert "\\u200f" in shown
    assert "👩‍🚀" in shown
    assert page.ask("document.querySelectorAll('#chunk-viewer :is(img, script, b b)').length") == 0
    assert not page.ask("/[\\u0000-\\u0008\\u001b\\u202e\\u200f]/.test(document.body.textContent)")


def test_nothing_is_asked_for_and_no_rule_is_broken(page: Page, address: str) -> None:
    find(page, "hostile")
    page.press("n", "n", "?", "Escape")
    page.ask("new Promise(requestAnimationFrame)")
    assert {each for each in page.requested if not each.startswith("data:image/png")} == {address}
    assert page.logged == []


@pytest.mark.parametrize("width", [420, 1400])
def test_columns_stand_below_each_other_where_there_is_little_room(
    chromium: Page, address: str, width: int
) -> None:
    chromium.open(address, width=width)
    find(chromium, "tides")
    tops = chromium.ask(
        "[...document.querySelectorAll('.column')].map(each => each.getBoundingClientRect().top)"
    )
    assert (tops[0] < tops[1]) == (width == 420)
    assert chromium.ask("document.documentElement.scrollWidth <= innerWidth")


def test_dark_and_still_are_as_the_reader_asks(chromium: Page, address: str) -> None:
    colours, motions = [], []
    for scheme, motion in (("light", "no-preference"), ("dark", "reduce")):
        chromium.open(address, prefers_color_scheme=scheme, prefers_reduced_motion=motion)
        style = "getComputedStyle(document.querySelector('.piece'))"
        colours.append(chromium.ask(f"{style}.backgroundColor"))
        motions.append(chromium.ask(f"{style}.transitionDuration"))
    assert colours[0] != colours[1]
    assert motions == ["0.12s", "0s"]
