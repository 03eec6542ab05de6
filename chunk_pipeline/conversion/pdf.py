"""PDF through Docling: by its text alone, or with its layout model where that is installed with its weights.

Docling's model-free pipeline gives the lines of text that the file holds, each with its page and box. They
are put together to paragraphs here, and a line in larger letters is a heading: no more is known of a layout,
so columns are read as the file has them and a table is lines. What does not belong here: other formats.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chunk_pipeline.conversion.docling_documents import NAME, converted
from chunk_pipeline.conversion.errors import ExtractionError

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

PAGES: Final = 2_000
"""Pages that a file may have."""

BATCH: Final = 50
"""Pages that Docling reads at a time: it keeps every letter of them in memory, with its place."""

SIZE: Final = 256 * 2**20
"""Bytes that it may have."""

TEXT_ONLY: Final = "pdf (text only)"
LAYOUT: Final = "pdf (layout)"
"""How a file was read, as it is stored with its text."""

ARTIFACTS: Final = "DOCLING_ARTIFACTS_PATH"
"""Environment variable that names the folder with Docling's weights."""

_LAYOUT_WEIGHTS = "docling-project--docling-layout-heron"
_TABLE_WEIGHTS = "docling-project--docling-models"
_LAYOUT_MODULES = ("torchvision", "docling_ibm_models")
_LARGER = 1.12
"""How much higher than most lines a heading's are."""

_HEADING_CHARACTERS = 200
_HEADING_LEVELS = 4
_GAP = 0.6
"""Space between two lines of one paragraph, as a share of the line's height, at most."""

_BULLET = re.compile(r"(?:[•◦▪‣·∙●○■–-]|\(?\d{1,3}[.)]|[a-z]\))\s+\S")
_LEADER = re.compile(r"(?:\. ?){4}")
"""Dots between a title and its page in a table of contents."""

_WORD = re.compile(r"\w+")


class _Line(NamedTuple):
    text: str
    page: int
    left: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        return self.top - self.bottom


def pdf_document(data: bytes) -> tuple[DoclingDocument, str]:
    """A PDF as a document, and how it was read.

    Raises:
        ExtractionError: It is no PDF, is locked or damaged, has too many pages, or no text.
    """
    pages = _checked(data)
    artifacts = layout_artifacts()
    if artifacts is not None:
        return _with_layout(data, artifacts), LAYOUT
    return _text_only(data, pages), TEXT_ONLY


def page_texts(data: bytes) -> list[str]:
    """The text of each page by pdfium alone, for comparison with what Docling gives.

    Raises:
        ExtractionError: The file cannot be opened.
    """
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            return [_page_text(document, number) for number in range(len(document))]
    except pypdfium2.PdfiumError as error:
        raise _unopened(error) from error


def layout_artifacts() -> Path | None:
    """The folder with Docling's layout weights, where the extra and the weights are on this machine."""
    folder = os.environ.get(ARTIFACTS)
    if not folder or not (Path(folder) / _LAYOUT_WEIGHTS).is_dir():
        return None
    return Path(folder) if all(importlib.util.find_spec(name) for name in _LAYOUT_MODULES) else None


def _checked(data: bytes) -> int:
    """The number of pages of a file that can be read."""
    if not data:
        raise ExtractionError("the file is empty; save it again from its program")
    if b"%PDF-" not in data[:1024]:
        raise ExtractionError(
            "not a PDF, whatever its suffix says: it does not begin with %PDF-; export it as PDF"
        )
    if len(data) > SIZE:
        raise ExtractionError(f"{len(data)} bytes, over {SIZE}; cut the PDF into smaller ones")
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            pages = len(document)
    except pypdfium2.PdfiumError as error:
        raise _unopened(error) from error
    if not pages:
        raise ExtractionError("the PDF has no pages; export it anew")
    if pages > PAGES:
        raise ExtractionError(f"{pages} pages, over {PAGES}; cut the PDF into smaller ones")
    return pages


def _unopened(error: Exception) -> ExtractionError:
    if "password" in str(error).lower():
        return ExtractionError("the PDF is encrypted; save it without a password")
    return ExtractionError("the PDF is damaged or cut off; take a new copy of it")


def _page_text(document: Any, number: int) -> str:
    page = document[number]
    text = page.get_textpage()
    try:
        return str(text.get_text_range())
    finally:
        text.close()
        page.close()


def _text_only(data: bytes, pages: int) -> DoclingDocument:
    from docling.datamodel.pipeline_options import NativePdfPipelineOptions
    from docling.document_converter import NativePdfFormatOption

    options = NativePdfPipelineOptions(
        generate_page_images=False, generate_picture_images=False, parser_threads=1
    )
    option = NativePdfFormatOption(pipeline_options=options)
    lines: list[_Line] = []
    sizes: dict[int, Any] = {}
    for first in range(1, pages + 1, BATCH):
        read = converted(data, ".pdf", option, (first, min(first + BATCH - 1, pages)))
        sizes.update((number, page.size) for number, page in read.pages.items())
        lines.extend(
            _Line(item.orig, place.page_no, place.bbox.l, place.bbox.t, place.bbox.b)
            for item in read.texts
            if item.orig.strip()
            for place in item.prov[:1]
        )
    if not lines:
        raise ExtractionError("the PDF has no text, only pictures of pages; recognise its text (OCR) first")
    return _assembled(sizes, lines)


def _assembled(sizes: Mapping[int, Any], lines: Sequence[_Line]) -> DoclingDocument:
    """A document of headings, paragraphs and list items instead of lines."""
    from docling_core.types.doc.document import DoclingDocument
    from docling_core.types.doc.labels import DocItemLabel

    document = DoclingDocument(name=NAME)
    for number, size in sorted(sizes.items()):
        document.add_page(page_no=number, size=size)
    levels = _heading_levels(lines)
    group: Any = None
    for block in _blocks(lines, levels):
        text = "\n".join(line.text.strip() for line in block)
        place = _provenance(block, text)
        level = _level(block, levels)
        bullet = _BULLET.match(text)
        if not bullet:
            group = None
        if level:
            document.add_heading(text=" ".join(text.split()), orig=text, level=level, prov=place)
        elif bullet:
            group = group or document.add_list_group()
            marker, _, rest = text.partition(" ")
            numbered = marker[-1] in ".)"
            document.add_list_item(
                text=rest.strip(), marker=marker, enumerated=numbered, parent=group, prov=place
            )
        else:
            document.add_text(label=DocItemLabel.TEXT, text=text, prov=place)
    return document


def _provenance(block: Sequence[_Line], text: str) -> Any:
    from docling_core.types.doc.base import BoundingBox, CoordOrigin
    from docling_core.types.doc.common.reference import ProvenanceItem

    box = BoundingBox(
        l=min(line.left for line in block),
        r=max(line.left for line in block),
        t=max(line.top for line in block),
        b=min(line.bottom for line in block),
        coord_origin=CoordOrigin.BOTTOMLEFT,
    )
    return ProvenanceItem(page_no=block[0].page, bbox=box, charspan=(0, len(text)))


def _heading_levels(lines: Sequence[_Line]) -> dict[int, int]:
    """Level of each line height (in half points) that is a heading's: the highest first.

    Heights that differ by less than a tenth are of one level.
    """
    letters: Counter[int] = Counter()
    for line in lines:
        letters[_half_points(line)] += len(line.text)
    usual = min(height for height, count in letters.items() if count == max(letters.values()))
    levels: dict[int, int] = {}
    level, tallest = 0, 0
    for height in sorted((each for each in letters if each > usual * _LARGER), reverse=True):
        if not level or height * 1.1 < tallest:
            level, tallest = min(level + 1, _HEADING_LEVELS), height
        levels[height] = level
    return levels


def _half_points(line: _Line) -> int:
    return round(line.height * 2)


def _level(block: Sequence[_Line], levels: dict[int, int]) -> int:
    text = " ".join(line.text for line in block)
    if len(text) > _HEADING_CHARACTERS or not _WORD.search(text) or _LEADER.search(text):
        return 0
    return levels.get(_half_points(block[0]), 0)


def _blocks(lines: Sequence[_Line], levels: dict[int, int]) -> Iterator[list[_Line]]:
    """Lines that belong together: on one page, near each other, of one height."""
    block: list[_Line] = []
    for line in lines:
        if block and not _continues(block[-1], line, levels):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _continues(above: _Line, line: _Line, levels: dict[int, int]) -> bool:
    if line.page != above.page or _BULLET.match(line.text.strip()):
        return False
    if levels.get(_half_points(line), 0) != levels.get(_half_points(above), 0):
        return False
    if line.top > above.top + above.height / 2:
        return False  # a new column
    return above.bottom - line.top <= _GAP * max(line.height, above.height)


def _with_layout(data: bytes, artifacts: Path) -> DoclingDocument:
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import PdfFormatOption

    options = PdfPipelineOptions(
        artifacts_path=artifacts,
        do_ocr=False,
        do_table_structure=(artifacts / _TABLE_WEIGHTS).is_dir(),
        generate_page_images=False,
        generate_picture_images=False,
    )
    return converted(data, ".pdf", PdfFormatOption(pipeline_options=options))
