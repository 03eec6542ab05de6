from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.document.alignment import aligned
from chunk_pipeline.chunking.document.items import document_items
from chunk_pipeline.chunking.document.limits import too_much
from chunk_pipeline.chunking.document.plain_items import plain_items
from chunk_pipeline.conversion.placed import PlacedItem


def _item(raw: str, label: str = "text", level: int = 0) -> PlacedItem:
    return PlacedItem(0, 0, label, level, 0, "body", raw, "")


def _starts(text: str, *items: PlacedItem) -> list[str]:
    return [text[item.start : item.end] for item in aligned(text, items)]


def test_items_are_found_in_order_and_hold_the_text_between() -> None:
    text = "# Zout\n\nHet **zout** van [Waterkerk](https://a.example/zout).\n\n- een\n- twee\n"

    found = _starts(
        text,
        _item("Zout", "title", 1),
        _item("Het zout van Waterkerk ."),
        _item("een", "list_item"),
        _item("twee", "list_item"),
    )

    assert found == [
        "# Zout\n\n",
        "Het **zout** van [Waterkerk](https://a.example/zout).\n\n",
        "- een\n",
        "- twee\n",
    ]


def test_a_heading_is_found_at_its_own_line_and_not_in_the_text() -> None:
    text = "Over het museum en\nmuseum zonder dak.\n\n## Museum\n\nTekst.\n\nArchief\n-------\n\nTekst."

    found = aligned(text, [_item("Museum", "section_header", 2), _item("Archief", "section_header", 2)])

    assert [text[item.start :].splitlines()[0] for item in found] == ["## Museum", "Archief"]


def test_a_heading_with_a_link_is_found_by_what_is_shown() -> None:
    text = "## [v1.7.0](https://a.example/compare/v1...v2) (2022-08-30)\n\nTekst."

    assert aligned(text, [_item("v1.7.0 (2022-08-30)", "section_header", 2)])[0].start == 0


def test_what_is_not_there_begins_nowhere() -> None:
    text = "Eerste alinea.\n\nTweede alinea.\n"

    found = _starts(text, _item("Eerste alinea."), _item("Iets heel anders"), _item("Tweede alinea."))

    assert found == ["Eerste alinea.\n\n", "Tweede alinea.\n"]
    assert aligned(text, [_item("Nergens")]) == ()
    assert aligned("", [_item("Nergens")]) == ()


def test_a_fence_belongs_to_its_code() -> None:
    text = "Zo:\n\n```yaml\nsleutel: waarde\n```\n"

    assert _starts(text, _item("Zo:"), _item("sleutel: waarde", "code")) == ["Zo:\n\n", text[5:]]


def test_rows_of_a_table_are_found_by_their_first_cell() -> None:
    text = "| [A](b.md) | C |\n| --- | --- |\n| D é | E |\n"

    assert _starts(text, _item("A | C", "row"), _item("D é | E", "row")) == [
        "| [A](b.md) | C |\n| --- | --- |\n",
        "| D é | E |\n",
    ]


def test_docling_finds_no_heading_in_front_matter() -> None:
    text = "---\nlayout: default\ntitle: Museon\n---\n\n# Kop\n\nTekst.\n"

    items = document_items(Document("r", "a.md", text, "document")).items

    assert [item.raw for item in items if item.is_heading] == ["Kop"]


def test_sections_without_docling_are_those_of_the_headings() -> None:
    text = "Vooraf.\n\n# Gids\n\n## Archief\n\nTekst.\n\n```\n# geen kop\n```\n\nMuseum\n------\n\nMeer.\n"

    items = plain_items(text)

    assert [(item.raw, item.level) for item in items if item.is_heading] == [
        ("Gids", 1),
        ("Archief", 2),
        ("Museum", 2),
    ]
    assert "".join(text[item.start : item.end] for item in items).replace("\n", "") == text.replace("\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "[a](" * 8_000,
        ">" * 3_000 + " a",
        "<div>" * 150,
        "a\n" * 20_000,
        "".join(f"[a{number}]: /b\n\n" for number in range(3_000)),
        "# Kop\n\nTekst.\n\n" * 41_000,
    ],
    ids=["links", "quotes", "elements", "lines", "references", "size"],
)
def test_what_docling_would_hang_on_is_cut_without_it(text: str) -> None:
    found = document_items(Document("r", "a.md", text, "document"))

    assert found.fallback.startswith("not given to Docling: over") or "characters, over" in found.fallback
    assert found.structure == ""


def test_the_research_aids_are_far_from_the_limits(corpora: Path) -> None:
    paths = sorted((corpora / "corpora/heritage").rglob("*.md"))

    assert len(paths) > 10
    assert [path.name for path in paths if too_much(path.read_text(encoding="utf-8"))] == []
