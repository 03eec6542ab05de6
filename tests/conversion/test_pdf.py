from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.conversion import pdf
from chunk_pipeline.conversion.coverage import extraction_coverage
from chunk_pipeline.conversion.extraction import ExtractionError, extract
from chunk_pipeline.conversion.placed import PlacedItem, placed_items
from tests.conversion.documents import FOLDER, maker


def _made(pages: Sequence[Sequence[tuple[str, str]]]) -> bytes:
    script = maker()
    data: bytes = script["pdf"]([script["page_lines"](page) for page in pages])
    return data


def _items(data: bytes) -> tuple[PlacedItem, ...]:
    return placed_items(extract(data, ".pdf").structure)[1]


def test_lines_are_put_together_to_paragraphs_within_a_page() -> None:
    text = "Het zout werd in wilgen manden naar de waag gedragen en daar gewogen. " * 3

    items = _items(_made([[("text", text), ("text", "Kort.")], [("text", "Volgende bladzijde.")]]))

    assert [item.page for item in items] == [1, 1, 2]
    assert " ".join(items[0].raw.split()) == text.strip()


def test_larger_letters_make_headings_by_their_size() -> None:
    items = _items(_made([[("title", "Gids"), ("heading", "Archief"), ("text", "Dit is de tekst. " * 9)]]))

    assert [item.level for item in items] == [2, 3, 0]


def test_a_line_of_contents_is_no_heading() -> None:
    blocks = [("heading", "Inleiding . . . . . . . . 3"), ("text", "Dit is de tekst. " * 9)]

    assert [item.label for item in _items(_made([blocks]))] == ["text", "text"]


def test_pages_without_text_are_refused_with_what_to_do() -> None:
    with pytest.raises(ExtractionError, match="OCR"):
        extract(_made([[], []]), ".pdf")


def test_an_encrypted_file_is_refused_with_what_to_do() -> None:
    lock = (
        b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"11" * 32 + b"> /U <" + b"22" * 32 + b"> >>"
    )
    identity = b" /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] "
    data = _made([[("text", "Geheim")]]).replace(b"/Root 1 0 R", b"/Root 1 0 R " + lock + identity)

    with pytest.raises(ExtractionError, match="without a password"):
        extract(data, ".pdf")


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "PAGES", 2)

    with pytest.raises(ExtractionError, match="3 pages, over 2"):
        extract(_made([[("text", "a")]] * 3), ".pdf")


def test_words_that_the_text_lacks_are_counted_and_named() -> None:
    data = _made([[("text", "De weduwe verkocht haar ketels")]])

    coverage = extraction_coverage(data, ".pdf", "De weduwe verkocht haar")

    assert (coverage.words, coverage.found, coverage.missing) == (5, 4, ("ketels",))


def test_layout_is_used_only_where_its_weights_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(pdf.ARTIFACTS, str(tmp_path))
    assert pdf.layout_artifacts() is None

    (tmp_path / "docling-project--docling-layout-heron").mkdir()
    monkeypatch.setattr(pdf.importlib.util, "find_spec", lambda name: object())
    assert pdf.layout_artifacts() == tmp_path


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: Any, **__: Any) -> None:
        pytest.fail("opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)

    assert extract((FOLDER / "salt-collections.pdf").read_bytes(), ".pdf").text


def test_a_long_file_is_read_page_after_page(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _made([[("text", f"Bladzijde {number} van het register.")] for number in range(1, 8)])
    whole = extract(data, ".pdf")

    monkeypatch.setattr(pdf, "BATCH", 3)

    assert extract(data, ".pdf") == whole
    assert [item.page for item in placed_items(whole.structure)[1]] == list(range(1, 8))
