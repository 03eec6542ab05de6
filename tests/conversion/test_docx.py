from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from chunk_pipeline.conversion import docx, docx_parts
from chunk_pipeline.conversion.coverage import extraction_coverage
from chunk_pipeline.conversion.extraction import ExtractionError, extract
from chunk_pipeline.conversion.placed import placed_items
from tests.conversion.documents import replaced, saved, with_body


def test_a_word_that_is_half_bold_stays_one_word() -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph("Het museum ")
        paragraph.add_run("Bron").bold = True
        paragraph.add_run("beek, ")
        paragraph.add_run("in Arnhem").italic = True
        paragraph.add_run(".")

    assert extract(saved(fill), ".docx").text == "Het museum Bronbeek, in Arnhem."


def test_a_link_inside_a_run_is_kept() -> None:
    link = '<w:hyperlink r:id="rId1"><w:r><w:rPr><w:b/></w:rPr><w:t>Koloniaal </w:t></w:r></w:hyperlink>'
    first, last = '<w:r><w:t xml:space="preserve">Het </w:t></w:r>', "<w:r><w:t>Museum</w:t></w:r>"
    data = with_body(f"<w:p>{first}<w:r>{link}</w:r>{last}</w:p>")

    assert extract(data, ".docx").text == "Het Koloniaal Museum"


def test_two_lines_in_one_paragraph_are_not_one_word() -> None:
    runs = "<w:r><w:t>Website van Bronbeek</w:t></w:r><w:r><w:t>Collectie met 600 stukken</w:t></w:r>"
    data = with_body(f"<w:p>{runs}</w:p>")

    extracted = extract(data, ".docx")

    assert extracted.text == "Website van Bronbeek Collectie met 600 stukken"
    assert extraction_coverage(data, ".docx", extracted.text).share == 1


def test_runs_that_are_parts_of_a_word_stay_together() -> None:
    data = with_body("<w:p><w:r><w:t>Open</w:t></w:r><w:r><w:t>StreetMap</w:t></w:r></w:p>")

    assert extract(data, ".docx").text == "OpenStreetMap"


def test_hidden_text_in_a_shown_paragraph_is_put_behind_the_document() -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph("Zichtbaar is dit. ")
        paragraph.add_run("Verborgen toegangscode 1687.").font.hidden = True
        document.add_paragraph("Slot.")

    data = saved(fill)
    extracted = extract(data, ".docx")
    _, items = placed_items(extracted.structure)

    assert "1687" in extracted.text
    assert items[-1].layer == "notes"
    assert extraction_coverage(data, ".docx", extracted.text).share == 1


def test_headers_and_footers_are_kept_aside_of_the_body() -> None:
    def fill(document: Any) -> None:
        document.add_paragraph("De ketel staat er nog.")
        document.sections[0].header.paragraphs[0].text = "Stadsarchief Waterkerk"
        document.sections[0].footer.paragraphs[0].text = "Vertrouwelijk"

    data = saved(fill)
    extracted = extract(data, ".docx")
    _, items = placed_items(extracted.structure)

    assert [item.layer for item in items] == ["body", "furniture", "furniture"]
    coverage = extraction_coverage(data, ".docx", extracted.text)
    assert coverage.share == 1
    assert sum(count for _, count in coverage.aside) == 3


def test_the_cells_of_a_merged_table_stand_once() -> None:
    def fill(document: Any) -> None:
        table = document.add_table(rows=2, cols=3)
        table.cell(0, 0).merge(table.cell(0, 1)).text = "Ziederij"
        table.cell(0, 2).text = "Jaar"
        for column, text in enumerate(("De Pan", "Haverzande", "1687")):
            table.cell(1, column).text = text

    assert extract(saved(fill), ".docx").text == "Ziederij | Jaar\nDe Pan | Haverzande | 1687"


def test_what_the_author_deleted_is_not_text() -> None:
    body = "<w:p><w:r><w:t>Blijft.</w:t></w:r><w:del><w:r><w:delText>Weg.</w:delText></w:r></w:del></w:p>"

    assert extract(with_body(body), ".docx").text == "Blijft."


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(ExtractionError, match="no text"):
        extract(saved(lambda document: None), ".docx")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = replaced(saved(lambda document: None), {"word/media/bomb.xml": bytes(30 * 2**20)})
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))

    with pytest.raises(ExtractionError, match="ZIP bomb"):
        extract(bomb, ".docx")


def test_an_archive_of_too_many_files_is_refused() -> None:
    many = {f"word/media/{number}": b"" for number in range(docx_parts.ENTRIES)}

    with pytest.raises(ExtractionError, match=f"over {docx_parts.ENTRIES}"):
        extract(replaced(saved(lambda document: None), many), ".docx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(encoding: str) -> None:
    laughs = '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w:p xmlns:w="w">&b;</w:p>'
    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    data = replaced(saved(lambda document: None), {"word/document.xml": (head + laughs).encode(encoding)})

    with pytest.raises(ExtractionError, match="document type"):
        extract(data, ".docx")


def test_a_part_that_is_no_xml_is_named() -> None:
    data = replaced(saved(lambda document: None), {"word/styles.xml": b"<w:styles"})

    with pytest.raises(ExtractionError, match=r"word/styles\.xml"):
        extract(data, ".docx")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "save it as DOCX"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "without a password"),
    ],
    ids=["doc", "encrypted"],
)
def test_an_old_or_locked_file_is_refused_with_what_to_do(data: bytes, said: str) -> None:
    with pytest.raises(ExtractionError, match=said):
        extract(data, ".docx")


def test_another_office_file_is_refused_by_what_it_is() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")

    with pytest.raises(ExtractionError, match="spreadsheet"):
        extract(buffer.getvalue(), ".docx")


def test_a_damaged_entry_is_refused() -> None:
    data = bytearray(saved(lambda document: document.add_paragraph("tekst")))
    place = data.find(b"word/document.xml") + 200
    data[place : place + 40] = bytes(40)

    with pytest.raises(ExtractionError, match="damaged"):
        extract(bytes(data), ".docx")


def test_a_paragraph_of_many_runs_is_one_text() -> None:
    runs = "".join(f'<w:r><w:t xml:space="preserve">woord{number} </w:t></w:r>' for number in range(2_000))

    text = extract(with_body(f"<w:p>{runs}</w:p>"), ".docx").text

    assert text.split() == [f"woord{number}" for number in range(2_000)]


def test_too_many_paragraphs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx, "PARAGRAPHS", 3)

    with pytest.raises(ExtractionError, match="over 3 paragraphs"):
        extract(with_body("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 4), ".docx")
