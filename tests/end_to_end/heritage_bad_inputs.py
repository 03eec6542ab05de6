"""Makes files that break, or attack, a pipeline for heritage sources, with what must become of each.

All are made by code, so that none has to be stored. Run as a program it puts a project's files through the
library's stages, in a process whose memory can be measured. What does not belong here: assertions.
"""

from __future__ import annotations

import io
import json
import sys
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

SUFFIXES = (".csv", ".docx", ".htm", ".html", ".json", ".md", ".pdf", ".tsv", ".xhtml", ".yaml", ".yml")
SECRET = "the-contents-of-a-file-outside"
MARKER = "made-by-a-tag"
CAP = 20_000_000
ROW_WORD = "Zoutziederij"

Make = Callable[[Path], bytes]
"""Gives a file's bytes, told the folder that the secret and the marker are in."""


class Case(NamedTuple):
    """A file and what must become of it.

    Attributes:
        path: Its path in the source.
        make: Gives its bytes.
        words: What the reason of its quarantine must hold, in small letters, one of them; none if it is read.
        holds: What its chunks must hold, if it is read.
    """

    path: str
    make: Make
    words: tuple[str, ...] = ()
    holds: str = ""


def _bytes(data: bytes | str) -> Make:
    return lambda outside: data.encode() if isinstance(data, str) else data


def _alias_bomb() -> str:
    lines = ["a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join([*lines, "preferred_label: *a9\n"])


def _object(tag: str) -> Make:
    return lambda outside: f"preferred_label: {tag} ['touch {outside / MARKER}']\n".encode()


def _entity_bomb(root: str) -> str:
    lines = ['<!ENTITY e0 "ha">', *(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))]
    return f"<?xml version='1.0'?><!DOCTYPE {root} [{''.join(lines)}]>"


def _xhtml(outside: Path) -> bytes:
    kind = f'<!DOCTYPE html [<!ENTITY own SYSTEM "{(outside / "secret.txt").as_uri()}">]>'
    return f"<?xml version='1.0'?>{kind}<html><body><h1>Salt</h1><p>Here: &own;</p></body></html>".encode()


def docx(body: str, *, before: str = "", extra: dict[str, bytes] | None = None) -> bytes:
    """A DOCX file with that body, as small as can be."""
    schema = "http://schemas.openxmlformats.org"
    types = (
        f'<Types xmlns="{schema}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{schema}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{schema}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        "</Relationships>"
    )
    word = f"{schema}/wordprocessingml/2006/main"
    document = f'{before}<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>'
    parts = {
        "[Content_Types].xml": types.encode(),
        "_rels/.rels": relations.encode(),
        "word/document.xml": document.encode(),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | (extra or {})).items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def paragraph(text: str) -> str:
    """A paragraph of a DOCX body."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def pdf(*objects: str) -> bytes:
    """A PDF of these objects, numbered from 1, the first of which is the catalog."""
    data, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{each}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return (
        data
        + f"{end}trailer\n<</Root 1 0 R/Size {len(objects) + 1}>>\nstartxref\n{len(data)}\n%%EOF\n".encode()
    )


def written_pdf(text: str) -> bytes:
    """A PDF of one page with that line."""
    drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
    return pdf(
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )


def _talk(*messages: dict[str, Any] | None, **more: Any) -> str:
    talk = {"uuid": "c1", "name": "Talk", "chat_messages": list(messages), **more}
    return json.dumps([talk])


def _said(number: int, text: Any, parent: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "uuid": f"m{number}",
        "sender": "human",
        "text": text,
        "content": [{"type": "text", "text": text}],
        "parent_message_uuid": f"m{parent}",
        **more,
    }


def _strange() -> str:
    """Messages without what a message has, or with something else in its place."""
    return _talk(
        _said(1, SENTENCE),
        _said(2, 5),
        _said(3, None, content=None),
        _said(4, "A text.", content="The same as words.", sender=None),
        _said(5, "B", content=[None, 7, {"type": "text"}, {"type": "text", "text": None}, {"type": []}]),
        _said(6, "C", attachments=[None, "x", {"extracted_content": 3}], files={"a": 1}),
        {"sender": "human"},
        {},
        created_at=7,
        current_leaf_message_uuid="nobody",
    )


HEADER = "Volgnr.;Plaats;Instelling;ISIL code;Toegekend op;Opmerking"
ROW = f"1;Waterkerk;{ROW_WORD} Waterkerk;NL-WtkZZD;2020;"
SENTENCE = (
    "The salt museum keeps its kettles under the roof of the old weigh house, and shows them on Saturdays."
)

EMPTY = tuple(Case(f"empty/nothing{suffix}", _bytes(b""), ("empty",)) for suffix in SUFFIXES)
BINARY = tuple(
    Case(
        f"binary/bytes{suffix}",
        _bytes(bytes(range(256)) * 8),
        ("binary", "not utf-8", "not a docx", "not a pdf"),
    )
    for suffix in SUFFIXES
)
YAML = (
    Case("yaml/alias-bomb.yaml", _bytes(_alias_bomb()), ("alias",)),
    Case("yaml/object.yaml", _object("!!python/object/apply:os.system"), ("tag",)),
    Case("yaml/name.yml", _object("!!python/name:os.system"), ("tag",)),
    Case("yaml/include.yaml", _bytes("preferred_label: !include /etc/hostname\n"), ("tag",)),
    Case("yaml/deep.yaml", _bytes("[" * 50_000), ("nested", "deep")),
    Case("yaml/tab.yaml", _bytes("preferred_label: A\n\tdescription: B\n"), ("tab",)),
    Case("yaml/unclosed.yaml", _bytes("- preferred_label: 'never closed\n"), ("line 1", "line 2")),
    Case("yaml/no-anchor.yaml", _bytes("preferred_label: *nobody\n"), ("anchor",)),
)
HTML = (
    Case("html/huge.html", lambda outside: b"<p>" + b"salt " * 20_000_000, ("cap",)),
    Case("html/deep.html", _bytes("<div>" * 20_000 + "salt"), ("deep", "nested")),
    Case("html/many.html", _bytes("<html><body>" + "<b>x</b>" * 210_000 + "</body></html>"), ("elements",)),
)
JSON = (
    Case("json/manifest.json", _bytes('{"name": "salt", "version": "1.0.0"}'), ("conversation",)),
    Case("json/numbers.json", _bytes("[1, 2, 3]"), ("conversation",)),
    Case("json/word.json", _bytes('"salt"'), ("conversation",)),
    Case("json/cut-off.json", _bytes(_talk(_said(1, SENTENCE))[:-9]), ("json",)),
    Case("json/half-a-pair.json", _bytes(_talk(_said(1, f"{SENTENCE} \ud800"))), ("surrogate",)),
    Case("json/deep.json", _bytes("[" * 100_000), ("nested", "deep")),
    Case("json/deep-objects.json", _bytes('{"a":' * 100_000), ("nested", "deep")),
)
CSV = (
    Case("csv/ten-thousand.csv", _bytes(";".join(f"c{n}" for n in range(10_000)) + "\n1;2\n"), ("column",)),
    Case("csv/unknown.csv", _bytes("naam,stad\nZout,Waterkerk\n"), ("'naam'", "column")),
    Case("csv/open-quote.csv", _bytes(f'{HEADER}\n2;"Waterkerk;never closed\n{ROW}\n'), ("quote",)),
    Case("csv/unmarked.csv", _bytes(f"{HEADER}\n{ROW}\n".encode("utf-16-le")), ("binary", "nul")),
)
DOCUMENTS = (
    Case("documents/cut-off.docx", _bytes(docx(paragraph(SENTENCE))[:-200]), ("damaged", "not a docx")),
    Case("documents/bomb.docx", _bytes(docx("<w:p/>" + " " * 40_000_000)), ("zip bomb", "bytes")),
    Case(
        "documents/picture-bomb.docx",
        _bytes(docx(paragraph(SENTENCE), extra={"word/media/a.png": b"\0" * 50_000_000})),
        ("zip bomb",),
    ),
    Case(
        "documents/entities.docx",
        _bytes(docx(paragraph("&e9;"), before=_entity_bomb("w:document"))),
        ("entit", "document type", "not xml"),
    ),
    Case("documents/text.docx", _bytes(SENTENCE), ("not a docx",)),
    Case("documents/no-text.docx", _bytes(docx("<w:p/>")), ("no text",)),
    Case("documents/cut-off.pdf", _bytes(written_pdf(SENTENCE)[:120]), ("damaged", "cut off", "no pages")),
    Case("documents/text.pdf", _bytes(SENTENCE), ("not a pdf",)),
    Case(
        "documents/loop.pdf",
        _bytes(pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]/Count 9>>")),
        ("pdf", "cannot read it"),
    ),
)
REFUSED: tuple[Case, ...] = (*EMPTY, *BINARY, *YAML, *HTML, *JSON, *CSV, *DOCUMENTS)
"""Files that must be quarantined."""

READ: tuple[Case, ...] = (
    Case("odd/utf-16.csv", _bytes(f"{HEADER}\n{ROW}\n".encode("utf-16")), holds=ROW_WORD),
    Case(
        "odd/wide.csv",
        _bytes(
            f"Instelling;{';'.join(f'c{n}' for n in range(10_000))}\n{ROW_WORD};{';'.join(['w'] * 10_000)}\n"
        ),
        holds=ROW_WORD,
    ),
    Case(
        "odd/long-cell.csv",
        _bytes(f"{HEADER}\n1;Waterkerk;{'zout ' * 20_000}{ROW_WORD};;;\n"),
        holds=ROW_WORD,
    ),
    Case("odd/long-line.html", _bytes(f"<h1>Salt</h1><p>{f'{SENTENCE} ' * 1_000}</p>"), holds="kettles"),
    Case(
        "odd/entities.xhtml",
        _bytes(f"{_entity_bomb('html')}<html><body><p>salt &e9;</p></body></html>"),
        holds="salt",
    ),
    Case("odd/outside.xhtml", _xhtml, holds="Here"),
    Case("odd/one-a-line.md", _bytes("\n".join(SENTENCE * 20) + "\n"), holds="k\ne\nt\nt\nl\ne\ns"),
    Case("odd/one-line.md", _bytes("zout" * 50_000), holds="zoutzout"),
    Case(
        "odd/circle.json",
        _bytes(_talk(_said(1, SENTENCE, 2), _said(2, "Two", 1), current_leaf_message_uuid="m1")),
        holds="kettles",
    ),
    Case(
        "odd/repeated.json",
        _bytes(_talk(_said(1, SENTENCE), _said(1, "The same number twice."))),
        holds="kettles",
    ),
    Case("odd/strange-shapes.json", _bytes(_strange()), holds="kettles"),
    Case(
        "odd/aliases.yaml",
        _bytes("- &a {preferred_label: Zoutkeet, ghcid: NL-ZH-WTK-M-ZK}\n- *a\n"),
        holds="Zoutkeet",
    ),
)
"""Files that must be read."""


def make(folder: Path, outside: Path) -> None:
    """Write every file below ``folder``; what they try to reach is in ``outside``."""
    outside.mkdir(parents=True, exist_ok=True)
    (outside / "secret.txt").write_text(SECRET)
    for case in (*REFUSED, *READ):
        path = folder / case.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.make(outside))


def run(root: Path) -> dict[str, float]:
    """Put the project's only source through the stages up to its chunks.

    Returns:
        Seconds of each stage, and ``peak``: the most memory that this process had, in bytes (0: not told).
    """
    from chunk_pipeline.chunking.registry import strategies
    from chunk_pipeline.stages.chunks import chunk_files
    from chunk_pipeline.stages.corpus import filter_source, label_source, scan_source
    from chunk_pipeline.stages.workspace import Workspace
    from tests.end_to_end.project import Project
    from tests.memory import STATUS, peak_memory

    workspace = Workspace(Project(root).settings)
    stages: dict[str, Callable[[], object]] = {
        "scan": lambda: scan_source(workspace, "bad"),
        "filter": lambda: filter_source(workspace, "bad"),
        "label": lambda: label_source(workspace, "bad"),
    }
    for strategy in strategies():
        if strategy.needs_budget:
            stages[strategy.name] = partial(chunk_files, workspace, "bad", strategy)
    report = {}
    for name, stage in stages.items():
        started = time.monotonic()
        stage()
        report[name] = round(time.monotonic() - started, 2)
    return report | {"peak": peak_memory() if STATUS.exists() else 0}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run(Path(sys.argv[1]))))
