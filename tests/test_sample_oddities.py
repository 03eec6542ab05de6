"""The oddities of Markdown, JavaScript and Vue that the sample's README lists are really in its files."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from chunk_pipeline.chunking.grammars import parse

SAMPLE = Path(__file__).parents[1] / "data" / "sample"
NOT_PARSING = {"harbour/src/lib/signals.js", "harbour/src/components/DredgeNotice.vue"}
GRAMMARS = {".ts": "typescript", ".vue": "vue"}


def text(path: str) -> str:
    return (SAMPLE / path).read_bytes().decode("utf-8")


def fences(markdown: str) -> list[str]:
    """What CommonMark takes for fences, each as its source."""
    from markdown_it import MarkdownIt

    lines = markdown.splitlines(keepends=True)
    tokens = [token for token in MarkdownIt().parse(markdown) if token.type == "fence" and token.map]
    return ["".join(lines[token.map[0] : token.map[1]]) for token in tokens if token.map]


def script(path: Path) -> bool:
    return path.suffix in {".js", ".mjs", ".cjs", ".ts", ".vue"} and ".min." not in path.name


def test_the_page_with_an_unclosed_fence_ends_as_code() -> None:
    page = text("field-notes/docs/guide/troubleshooting.md")
    (last,) = fences(page)
    assert page.endswith(last)
    assert last.count("```") == 1
    assert "Then start the app again." in last


def test_the_page_on_writing_shows_fences_in_fences() -> None:
    found = fences(text("atlas-docs/docs/editors/writing-pages.md"))
    assert [fence.lstrip()[:4].rstrip("mdj") for fence in found] == ["````", "~~~", "~~~~", "```"]
    assert "```js" in found[0]
    assert "~~~~txt" in found[1]
    assert re.search(r"^ *~~~$", found[2], flags=re.MULTILINE)


def test_the_packing_list_has_crlf_and_joined_emoji() -> None:
    page = text("field-notes/docs/guide/packing-list.md")
    assert page.count("\r\n") == page.count("\n") > 20
    assert "\N{ZERO WIDTH JOINER}" in page
    assert sum(ord(character) > 0xFFFF for character in page) > 15


def test_the_symbols_have_a_long_string_and_a_long_line() -> None:
    outline, symbols = sorted(map(len, text("field-notes/src/lib/symbols.js").splitlines()))[:-3:-1]
    assert 2_500 < symbols < outline < 10_000
    assert re.search(r"'[^']{3000,}'", text("field-notes/src/lib/symbols.js"))


@pytest.mark.parametrize(
    "path",
    [str(path.relative_to(SAMPLE)) for path in sorted(SAMPLE.rglob("*")) if script(path)],
)
def test_every_script_and_component_parses_but_for_those_that_must_not(path: str) -> None:
    grammar = GRAMMARS.get(Path(path).suffix, "javascript")
    root = parse(grammar, (SAMPLE / path).read_bytes()).root_node
    assert root.has_error == (path in NOT_PARSING)


def test_one_component_is_a_template_only() -> None:
    blocks = re.findall(r"^<(\w+)", text("harbour/src/components/MooringLines.vue"), flags=re.MULTILINE)
    assert blocks == ["template"]


def test_one_page_has_no_byte_and_one_only_white_space() -> None:
    assert text("atlas-docs/docs/drafts/legend.md") == ""
    blank = text("atlas-docs/docs/drafts/tiles.md")
    assert blank.isspace()
    assert len(blank) > 3


@pytest.mark.parametrize(
    ("path", "length"),
    [
        ("field-notes/docs/guide/sync.md", 1_000),
        ("harbour/docs/berth-planning.md", 1_000),
        ("atlas-docs/docs/guide/data-sources.md", 1_000),
    ],
)
def test_the_long_guides_hold_a_fence_and_a_table_longer_than_a_chunk(path: str, length: int) -> None:
    page = text(path)
    assert max(map(len, fences(page))) > length
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert max(map(len, rows)) > 150
    assert page.startswith("---\n")
    assert "\n   - " in page or "\n   1. " in page
    assert ":::" in page


def test_links_between_pages_lead_to_pages_and_headings_that_exist() -> None:
    pages = sorted(path for path in SAMPLE.rglob("*.md") if path.name != "README.md")
    for page in pages:
        outside = re.sub(
            r"(?ms)^ *(`{3,}|~{3,})[^\n]*\n.*?^ *\1[`~]*$|`[^`\n]+`", "", page.read_text("utf-8")
        )
        for target in re.findall(r"\]\((\.[^)]+)\)", outside):
            path, _, anchor = target.partition("#")
            linked = (page.parent / path).resolve()
            assert linked.is_file(), f"{page}: {target}"
            assert not anchor or anchor in slugs(linked.read_text("utf-8")), f"{page}: {target}"


def slugs(markdown: str) -> set[str]:
    lines = markdown.splitlines()
    named = [line.lstrip("# ") for line in lines if re.match(r"#{1,6} ", line)]
    named += [above for above, line in pairwise(lines) if above and re.fullmatch(r"-{3,}|={3,}", line)]
    return {re.sub(r"[^\w\- ]+", "", name.lower()).replace(" ", "-") for name in named}
