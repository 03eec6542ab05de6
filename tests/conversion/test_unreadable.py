"""Reasons for files that Docling cannot read: our own sentences, the same in every run."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from chunk_pipeline.conversion.errors import ExtractionError
from chunk_pipeline.conversion.extraction import extract
from chunk_pipeline.conversion.own_stack import on_own_stack
from chunk_pipeline.conversion.unreadable import unreadable
from tests.end_to_end.heritage_bad_inputs import docx, paragraph, pdf

CATALOG = "<</Type/Catalog/Pages 2 0 R>>"
LOOP = pdf(CATALOG, "<</Type/Pages/Kids[2 0 R]/Count 9>>")
DAMAGED = {
    "a list of pages in itself": LOOP,
    "a list of pages that is empty": pdf(CATALOG, "<</Type/Pages/Kids[]/Count 5>>"),
    "a page that is not there": pdf(CATALOG, "<</Type/Pages/Kids[7 0 R]/Count 1>>"),
    "a page without a size": pdf(
        CATALOG, "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 0 0]>>"
    ),
}
NO_PART = docx(
    paragraph("text"),
    extra={
        "word/_rels/document.xml.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        b'relationships"><Relationship Id="r1" Type="http://x/styles" Target="nowhere.xml"/></Relationships>'
    },
)
CHILD = """
import sys
from chunk_pipeline.conversion.extraction import ExtractionError, extract
try:
    extract(sys.stdin.buffer.read(), ".pdf")
except ExtractionError as error:
    print(error)
"""


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_damaged_pages_of_a_pdf_have_one_reason_without_what_docling_said(data: bytes) -> None:
    with pytest.raises(ExtractionError) as refused:
        extract(data, ".pdf")
    assert str(refused.value) == unreadable(".pdf", "")


def test_the_reason_is_the_same_in_two_processes() -> None:
    def reason(seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", CHILD],
            input=LOOP,
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        )
        return done.stdout.decode()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(reason, ("1", "2"))
    assert first == second == f"{unreadable('.pdf', '')}\n"


def test_a_part_that_a_docx_lacks_is_said() -> None:
    with pytest.raises(ExtractionError, match="names a part that is not in its archive; open it and save"):
        extract(NO_PART, ".docx")


@pytest.mark.parametrize("suffix", [".docx", ".md", ".pdf"])
@pytest.mark.parametrize(
    "said",
    [
        "",
        "RuntimeError Failed to load document with key key=324e1672e9526167943fcea35ed7d71f2d75f227",
        "RecursionError maximum recursion depth exceeded in comparison",
        "MemoryError ",
        "KeyError \"There is no item named 'word/a.xml' in the archive\"",
        "KeyError \"no relationship of type 'http://x' in collection\"",
        "ConversionError at 0x7f3a Page failed to parse: could not find the page-dimensions",
    ],
)
def test_nothing_that_docling_says_is_in_a_reason_and_each_says_what_to_do(suffix: str, said: str) -> None:
    reason = unreadable(suffix, said)
    assert ";" in reason
    assert not re.search(r"0x|key=|Error|word/a\.xml|http", reason)


def test_depth_is_told_from_damage() -> None:
    assert unreadable(".md", "RecursionError maximum recursion") != unreadable(".md", "KeyError 'a'")


def test_depth_does_not_depend_on_who_calls() -> None:
    def own_depth(levels: int) -> int:
        try:
            return own_depth(levels + 1)
        except RecursionError:
            return levels

    def called_from(depth: int) -> int:
        return called_from(depth - 1) if depth else on_own_stack(lambda: own_depth(0))

    assert called_from(0) == called_from(400)
