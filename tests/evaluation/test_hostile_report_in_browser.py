"""The report with hostile text in every field that a source can fill, in a browser: nothing of it acts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chunk_pipeline.evaluation.html import render_html
from chunk_pipeline.evaluation.report import Report
from chunk_pipeline.evaluation.viewer import viewer_payload
from chunk_pipeline.warehouse.plain_text import plain_lines
from tests.evaluation.browser_page import CHROMIUM, Page, browser
from tests.evaluation.hostile_report import HOSTILE, RTL, hostile_report
from tests.evaluation.test_report import report
from tests.evaluation.viewer_tables import document, tables_of

pytestmark = pytest.mark.bad_input

MARKS = (
    "tide \u202egnp.exe\u202c \x1b[31m\x07 a\u200bb \ufeff\u00ad \u2028\u2029\x85 \u3164\u115f\u034f \ue000\n"
    "می\u200cخواهم क\u094d\u200dष 👩\u200d🚀 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ☎\ufe0e\n"
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏴\U000e0041\U000e007f x\U000e0041\n"
    "a\ufe0f\u200d😀 b\u200cc 葛\U000e0100 😀\U000e0101\U000e0102 \u0600١ ᠮ\u180bᠣ\n"
    "\u200e\u200f\u061c\u2066\u2069\n"
)
"""Characters that act or hide, and the same ones where a script needs them."""

ACTING = {*map(chr, (*range(9), *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F)))}
ACTING |= set("\u200b\u200e\u200f\u061c\u2066\u2067\u2068\u2069")
RUN = "typeof window.pwned"
APPEND = "document.body.insertAdjacentHTML('beforeend', '%s')"
NAMES = """[...new Set([...document.querySelectorAll('*')].flatMap(node =>
    [...node.attributes].map(each => node.localName + ' ' + each.name)))].sort()"""
TAGS = """Object.fromEntries(Object.entries(Object.groupBy([...document.querySelectorAll('body *')],
    node => node.localName)).map(([name, nodes]) => [name, nodes.length]))"""
TEXT_LEAKS = """(walker => { const leaks = [];
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (parent.closest('script, style') || !walker.currentNode.data.includes('%s')) continue;
        const { unicodeBidi } = getComputedStyle(parent);
        if (!['isolate', 'plaintext'].includes(unicodeBidi)) leaks.push(parent.outerHTML);
    }
    return leaks })(document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT))"""
"""Elements whose right-to-left text could turn what stands beside them."""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


def opened(chromium: Page, file: Path, made: Report, text: str, name: str) -> Page:
    """The report with a viewer of one JSON file and one of Markdown."""
    documents = [
        document(f"docs/{name}.md", f"# {text}\n\n{text}\n", repository=f"shop {name}"),
        document(f"src/i18n/{name}.json", '{"broken": ', repository=f"shop {name}"),
    ]
    tables = tables_of(documents, ("markdown_syntax", "recursive", "json_syntax"))
    file.write_text(render_html(made, viewer_payload(*tables, {})), encoding="utf-8")
    del chromium.requested[:], chromium.logged[:]
    chromium.open(file.as_uri())
    chromium.ask("document.querySelectorAll('details').forEach(each => { each.open = true })")
    chromium.ask("new Promise(go => setTimeout(go, 50))")
    return chromium


def test_hostile_text_in_every_field_runs_nothing_and_asks_for_nothing(
    chromium: Page, tmp_path: Path
) -> None:
    harmless = opened(chromium, tmp_path / "harmless.html", report(), "calm", "calm")
    expected = (harmless.ask(TAGS), harmless.ask(NAMES))
    page = opened(chromium, tmp_path / "hostile.html", hostile_report(), HOSTILE, HOSTILE.replace("/", "∕"))
    assert page.ask(RUN) == "undefined"
    assert {each for each in page.requested if not each.startswith("data:image/png;")} == {
        (tmp_path / "hostile.html").as_uri()
    }
    assert page.logged == []
    tags, names = page.ask(TAGS), page.ask(NAMES)
    assert names == expected[1]
    # Escapes stand in spans of their own.
    assert {name: tags[name] for name in tags if name != "span"} == {
        name: expected[0][name] for name in expected[0] if name != "span"
    }


def test_hostile_text_is_told_in_every_section_and_turns_nothing_around(
    chromium: Page, tmp_path: Path
) -> None:
    page = opened(chromium, tmp_path / "hostile.html", hostile_report(), HOSTILE, HOSTILE.replace("/", "∕"))
    shown = page.ask("document.body.innerText")
    assert "\\x1b[31m" in shown
    assert "\\u202e" in shown
    assert not set(shown) & ACTING
    for heading in ("What to do", "Gold", "Quarantine and skips", "How it was measured"):
        section = page.ask(
            f"(from => {{ let text = ''; for (let node = [...document.querySelectorAll('h2')].find(each =>"
            f" each.textContent === {heading!r}).nextElementSibling; node && node.localName !== 'h2';"
            f" node = node.nextElementSibling) text += node.innerText; return text }})()"
        )
        assert RTL in section, heading
    assert page.ask(TEXT_LEAKS % RTL) == []


def test_the_viewer_writes_out_what_the_terminal_writes_out(chromium: Page, tmp_path: Path) -> None:
    tables = tables_of([document("docs/marks.md", MARKS)], ("recursive",))
    file = tmp_path / "marks.html"
    file.write_text(render_html(report(), viewer_payload(*tables, {})), encoding="utf-8")
    chromium.open(file.as_uri())
    drawn = chromium.ask(
        "[...document.querySelectorAll('.column:first-child .atom')].map(each => each.textContent).join('')"
    )
    assert drawn.rstrip("\n") == plain_lines(MARKS).rstrip("\n")


@pytest.mark.parametrize(
    "attempt",
    [
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.pwned = 1'}))",
        APPEND % '<img src=x onerror="window.pwned = 1">',
        APPEND % '<a href="javascript:window.pwned=1" id=a>x</a>' + ", document.getElementById('a').click()",
        APPEND % '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
    ],
    ids=["script", "handler", "javascript", "frame"],
)
def test_even_markup_that_got_in_would_run_nothing(chromium: Page, tmp_path: Path, attempt: str) -> None:
    page = opened(chromium, tmp_path / "report.html", report(), "calm", "calm")
    page.ask(f"void ({attempt})")
    page.ask("new Promise(go => setTimeout(go, 100))")
    assert page.ask(RUN) == "undefined"
    assert any("Content Security Policy" in each or "violates" in each for each in page.logged), page.logged


def test_the_keys_dialog_still_closes_under_the_policy(chromium: Page, tmp_path: Path) -> None:
    page = opened(chromium, tmp_path / "report.html", report(), "calm", "calm")
    page.ask("document.querySelector('#viewer-help').click()")
    assert page.ask("document.querySelector('#viewer-keys').open")
    page.ask("document.querySelector('#viewer-keys button').click()")
    assert not page.ask("document.querySelector('#viewer-keys').open")
    assert page.logged == []
