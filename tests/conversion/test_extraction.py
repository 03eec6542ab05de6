from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from chunk_pipeline.conversion.coverage import extraction_coverage
from chunk_pipeline.conversion.extraction import EXTRACTED, ExtractionError, extract
from chunk_pipeline.conversion.placed import placed_items
from tests.conversion.documents import FOLDER, maker
from tests.memory import MIB, forget_peak, on_linux, peak_memory

FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in EXTRACTED)


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_the_sample_files_are_converted_without_a_lost_word(path: Path) -> None:
    data = path.read_bytes()

    extracted = extract(data, path.suffix)

    coverage = extraction_coverage(data, path.suffix, extracted.text)
    assert coverage.words > 400
    assert coverage.share == 1, coverage.missing


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_the_structure_gives_the_text_and_the_place_of_each_item(path: Path) -> None:
    extracted = extract(path.read_bytes(), path.suffix)

    text, items = placed_items(extracted.structure)

    assert text == extracted.text
    assert all(text[item.start : item.end].endswith(item.raw) for item in items)
    assert all(left.end < right.start for left, right in pairwise(items))
    between = [text[left.end : right.start] for left, right in pairwise(items)]
    assert set(between) <= {"\n", "\n\n"}


def test_the_same_files_give_the_same_bytes_in_another_process() -> None:
    program = (
        "import sys, pathlib; from chunk_pipeline.conversion.extraction import extract; "
        "paths = [pathlib.Path(each) for each in sys.argv[1:]]; "
        "print(ascii([extract(path.read_bytes(), path.suffix) for path in paths]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    run = subprocess.run(
        [sys.executable, "-c", program, *map(str, FILES)],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
    )

    here = [extract(path.read_bytes(), path.suffix) for path in FILES]
    assert run.stdout == f"{here!a}\n"


def test_the_structure_is_ascii_json_without_pictures() -> None:
    structure = extract((FOLDER / "gids-zoutonderzoek.docx").read_bytes(), ".docx").structure

    assert structure.isascii()
    assert json.loads(structure)["schema_name"] == "DoclingDocument"
    assert "base64" not in structure


def test_a_docx_has_headings_rows_items_and_notes() -> None:
    extracted = extract((FOLDER / "gids-zoutonderzoek.docx").read_bytes(), ".docx")
    _, items = placed_items(extracted.structure)

    assert extracted.encoding == "docx"
    assert [(item.label, item.level) for item in items if item.is_heading][:3] == [
        ("title", 1),
        ("section_header", 2),
        ("section_header", 3),
    ]
    assert "\nMuseum De Zoutkamer | NL-WtkMDZ | ziedketels, zoutvaten, schilderijen | " in extracted.text
    assert "\n- Een gebouw: de kaart van 1648, daarna de bouwtekeningen vanaf 1850.\n" in extracted.text
    assert (items[-1].label, items[-1].layer) == ("footnote", "furniture")


def test_a_pdf_has_pages_headings_and_items_and_says_that_its_text_alone_was_read() -> None:
    extracted = extract((FOLDER / "salt-collections.pdf").read_bytes(), ".pdf")
    _, items = placed_items(extracted.structure)

    assert extracted.encoding == "pdf (text only)"
    assert [(item.raw, item.level, item.page) for item in items if item.is_heading] == [
        ("The Salt Collections of Waterkerk", 2, 1),
        ("The city archive", 3, 1),
        ("The museum", 3, 1),
        ("The library", 3, 2),
        ("Planning a visit", 3, 2),
        ("What is lost", 3, 2),
    ]
    assert [item.label for item in items].count("list_item") == 3


def test_remaking_the_sample_gives_its_files() -> None:
    script = maker()

    assert script["account_pdf"]() == (FOLDER / "salt-collections.pdf").read_bytes()
    made, there = _parts(script["guide_docx"]()), _parts((FOLDER / "gids-zoutonderzoek.docx").read_bytes())
    assert made == there


@pytest.mark.parametrize("suffix", sorted(EXTRACTED))
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"<html><p>Museum</p></html>", "whatever its suffix says"),
        (b"\0" * 5000, "suffix says"),
    ],
    ids=["empty", "html", "zeros"],
)
def test_what_is_another_format_is_refused_by_name(suffix: str, data: bytes, said: str) -> None:
    with pytest.raises(ExtractionError, match=said):
        extract(data, suffix)


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_a_file_that_was_cut_off_is_refused_or_converted_without_a_lost_word(
    path: Path, share: float
) -> None:
    data = path.read_bytes()
    data = data[: int(len(data) * share)]

    try:
        extracted = extract(data, path.suffix)
    except ExtractionError:
        return
    assert extraction_coverage(data, path.suffix, extracted.text).share == 1


@on_linux
def test_conversion_takes_less_than_a_gigabyte() -> None:
    before = forget_peak()
    for path in FILES:
        extract(path.read_bytes(), path.suffix)
    assert peak_memory() - before < 1024 * MIB


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
