"""Write the DOCX and the PDF of the heritage sample.

The files are committed, so nobody has to run this; it says where their bytes come from, and a test compares
them. No clock and no random numbers. Place, people and institutions are invented, as everywhere in that
sample. What does not belong here: the sample's other documents, which are text.
"""

from __future__ import annotations

import io
import textwrap
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "heritage" / "documents"
WRITTEN = datetime(2030, 3, 1, 9, 0, 0)
"""What the files give as their date."""

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
FOOTNOTES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
FOOTNOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"

NOTE = "De kaart van 1648 is te broos om in te zien; op de leeszaal ligt een getrouwe kopie."

DUTCH: tuple[tuple[str, Any], ...] = (
    ("title", "Gids voor onderzoek naar het zout van Waterkerk"),
    (
        "text",
        "Wie wil weten hoe Waterkerk van het zout leefde, moet op drie plaatsen zoeken. De papieren liggen "
        "bij het Stadsarchief Waterkerk, de ketels en vaten bij Museum De Zoutkamer, en wat erover gedrukt "
        "is bij de Bibliotheek Waterkerk. Deze gids zegt wat waar te vinden is en in welke volgorde het "
        "zoeken het minste tijd kost.",
    ),
    ("1", "Waar te beginnen"),
    (
        "text",
        "Begin in het archief met de rekeningen van de zoutaccijns. Ze lopen van 1571 tot 1805 en noemen "
        "voor elke ziederij de naam van de zieder, het aantal ketels en de betaalde belasting. Een klapper "
        "op namen staat op de leeszaal en is ook als databestand te krijgen.",
    ),
    (
        "note",
        "De ligging van een ziederij volgt uit de kaart van landmeter Joris Aldewijn, die elk perceel een "
        "nummer gaf.",
    ),
    ("2", "De instellingen"),
    (
        "table",
        (
            ("Instelling", "Code", "Wat er ligt", "Open"),
            (
                "Stadsarchief Waterkerk",
                "NL-WtkSAW",
                "rekeningen, notariële akten, kaarten",
                "dinsdag tot vrijdag",
            ),
            (
                "Museum De Zoutkamer",
                "NL-WtkMDZ",
                "ziedketels, zoutvaten, schilderijen",
                "dagelijks behalve maandag",
            ),
            (
                "Bibliotheek Waterkerk",
                "NL-WtkBIB",
                "almanakken, kranten, streekromans",
                "maandag tot zaterdag",
            ),
        ),
    ),
    ("2", "Bronnen per vraag"),
    ("text", "Voor de meest gestelde vragen is dit de kortste weg:"),
    (
        "list",
        (
            "Een zieder in de familie: eerst de klapper op de accijns, dan de notariële akten van hetzelfde "
            "jaar.",
            "Een gebouw: de kaart van 1648, daarna de bouwtekeningen vanaf 1850.",
            "Een voorwerp met een merk: de merkenlijst van het museum, die het ook per e-mail nakijkt.",
            "Een lied of verhaal: de knipselmappen van de bibliotheek, gerangschikt op trefwoord.",
        ),
    ),
    ("1", "Hoe het zieden ging"),
    (
        "text",
        "Een ketel werd op zondagavond gevuld met pekel uit de moerputten achter de dijk. Twee knechten "
        "hielden het turfvuur vier dagen aan, tot er een korst op de pekel kwam die met houten harken naar "
        "de rand werd getrokken. Het natte zout lekte uit in wilgen manden en ging op vrijdag naar de waag. "
        "Van honderd tonnen pekel bleven elf tonnen zout over, en de rook was tot in Haverzande te ruiken.",
    ),
    (
        "text",
        "In 1823 sloot de laatste ziederij. De weduwe Machteld Brandaris verkocht haar drie ketels aan een "
        "smid, die er één liet staan omdat zij te zwaar was voor zijn wagen. Om die ketel heen is later het "
        "museum gebouwd.",
    ),
    ("1", "Afspraken en hulp"),
    (
        "text",
        "Stukken van voor 1700 zijn twee werkdagen van tevoren aan te vragen. Fotograferen mag zonder "
        "flits. Wie een transcriptie maakt en aan het archief geeft, helpt de volgende onderzoeker; er "
        "liggen er al vierhonderd klaar.",
    ),
)

ENGLISH: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        ("title", "The Salt Collections of Waterkerk"),
        (
            "text",
            "Waterkerk is a small harbour city that once boiled more salt than any other on its coast. What "
            "is left of that trade is kept by three institutions that work together: the Stadsarchief "
            "Waterkerk, Museum De Zoutkamer and the Bibliotheek Waterkerk. This account tells visitors from "
            "abroad what each of them holds and how to see it.",
        ),
        ("heading", "The city archive"),
        (
            "text",
            "The archive (ISIL NL-WtkSAW) stands in the cellar of the old weigh house. Its shelves run for "
            "three kilometres and begin with a book of by-laws of 1342. For the history of salt the "
            "accounts of the excise are the first source. They name each boiler, the number of pans and the "
            "tax that was paid, year after year from 1571 to 1805.",
        ),
        (
            "text",
            "Deeds of the notaries show who lent the money. Many a pan belonged to a widow, a baker and a "
            "skipper together, each for a third, and was sold and inherited in such parts.",
        ),
        ("heading", "The museum"),
        (
            "text",
            "Museum De Zoutkamer (ISIL NL-WtkMDZ) was built around a copper pan that was too heavy to be "
            "carted away. The collection has 8,400 objects. Its silver salt cellars are the longest series "
            "on the coast, from plain tubs to a ship in full sail. Every Saturday a pan is heated with "
            "peat, and the salt is given to whoever has stayed to the end.",
        ),
    ),
    (
        ("heading", "The library"),
        (
            "text",
            "The library (ISIL NL-WtkBIB) collects all that was printed about the region: almanacs, "
            "newspapers, novels and songs. Cuttings are kept in folders by keyword, and the folder on salt "
            "alone has six hundred leaves. Children's books from before 1940 have a room of their own.",
        ),
        ("heading", "Planning a visit"),
        (
            "item",
            "The archive is open from Tuesday to Friday; ask for papers from before 1700 two days ahead.",
        ),
        ("item", "The museum is open every day but Monday, and lends a guide in large print."),
        ("item", "The library is open from Monday to Saturday; its catalogue is in Dutch only."),
        ("heading", "What is lost"),
        (
            "text",
            "In the flood of 1717 the weigh house stood under water for nine days. The registers of the "
            "guild of salt boilers were on the lowest shelf and became a grey paste, which the archive "
            "still keeps in a jar. What we know of the guild comes from letters that it wrote to others, "
            "and from the painted board with the names of its masters that hangs in the museum.",
        ),
        (
            "text",
            "Readers who find a trace of Waterkerk's salt in another archive are asked to write. The list "
            "of such finds has grown to ninety, from London to Bergen, and is sent to all who added to it.",
        ),
    ),
)


class Line(NamedTuple):
    """A line of a page: its text and the size of its letters in points; an empty one is a gap."""

    text: str
    size: int = 11


def guide_docx() -> bytes:
    """The Dutch guide: title, headings, a table, a list and a footnote."""
    import docx

    document = docx.Document()
    properties = document.core_properties
    properties.author, properties.title = "Erfgoed Waterkerk", DUTCH[0][1]
    properties.created = properties.modified = WRITTEN
    properties.last_modified_by, properties.revision, properties.comments = "Erfgoed Waterkerk", 1, ""
    for kind, content in DUTCH:
        if kind == "table":
            _add_table(document, content)
        elif kind == "list":
            for item in content:
                document.add_paragraph(item, style="List Bullet")
        elif kind == "note":
            _add_note(document, content)
        elif kind == "text":
            document.add_paragraph(content)
        else:
            document.add_heading(content, level=0 if kind == "title" else int(kind))
    buffer = io.BytesIO()
    document.save(buffer)
    return _with_fixed_dates(buffer.getvalue())


def account_pdf() -> bytes:
    """The English account: two pages with headings in larger letters and a list."""
    return pdf([page_lines(page) for page in ENGLISH])


def page_lines(blocks: Iterable[tuple[str, str]], width: int = 88) -> list[Line]:
    """The lines of a page.

    Args:
        blocks: (``title``, ``heading``, ``text`` or ``item``, text).
        width: Characters of a line in letters of 11 points.
    """
    lines: list[Line] = []
    for kind, text in blocks:
        size = {"title": 20, "heading": 15}.get(kind, 11)
        lead = "• " if kind == "item" else ""
        wrapped = textwrap.wrap(lead + text, width * 11 // size, break_long_words=True)
        lines += [Line(each, size) for each in wrapped] + [Line("")]
    return lines


def pdf(pages: Sequence[Sequence[Line]]) -> bytes:
    """A PDF (ISO 32000-1, version 1.4) of lines of text in Helvetica; characters are those of cp1252.

    Args:
        pages: The lines of each page, from the top of it; 55 lines of 11 points fit.
    """
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        font.encode(),
    ]
    for number, lines in enumerate(pages):
        content = _page_content(lines)
        box = "/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        page = f"<< /Type /Page /Parent 2 0 R {box} /Contents {5 + 2 * number} 0 R >>"
        stream = f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"
        objects += [page.encode(), stream]
    return _numbered(objects)


def _page_content(lines: Sequence[Line]) -> bytes:
    parts = [b"BT"]
    height = 790.0
    for line in lines:
        if line.text:
            shown = (
                line.text.encode("cp1252").replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
            )
            parts.append(f"/F1 {line.size} Tf 1 0 0 1 60 {height:.1f} Tm (".encode() + shown + b") Tj")
        height -= line.size * 1.25
    return b"\n".join([*parts, b"ET"])


def _numbered(objects: Sequence[bytes]) -> bytes:
    """The objects with their cross-reference table."""
    data = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + head.encode() + tail.encode()


def _add_table(document: Any, rows: Sequence[Sequence[str]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text


def _add_note(document: Any, text: str) -> None:
    """A paragraph with the footnote; python-docx has no footnotes, so their part is written here."""
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part
    from docx.oxml import parse_xml

    paragraph = document.add_paragraph(text)
    paragraph.add_run()._r.append(parse_xml(f'<w:footnoteReference xmlns:w="{W}" w:id="1"/>'))
    content = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r>'
        f'<w:r><w:t xml:space="preserve"> {NOTE}</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    part = Part(PackURI("/word/footnotes.xml"), FOOTNOTES_TYPE, content.encode(), document.part.package)
    document.part.relate_to(part, FOOTNOTES)


def _with_fixed_dates(data: bytes) -> bytes:
    """The same archive with its parts in the order of their names, all of one date."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in sorted(source.namelist(), key=lambda each: (each != "[Content_Types].xml", each)):
            target.writestr(zipfile.ZipInfo(name), source.read(name), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


if __name__ == "__main__":
    (FOLDER / "gids-zoutonderzoek.docx").write_bytes(guide_docx())
    (FOLDER / "salt-collections.pdf").write_bytes(account_pdf())
