"""DOCX, with its paragraphs made plain before Docling reads them.

Docling gives one item for each run of equal format, trimmed: in ``Bron**beek**`` or ``museum_,_`` the spaces
around are lost, and a word is cut in two. It also drops a link that stands inside a run, which no standard
allows and converters write all the same. Here emphasis and links are taken off, so that a paragraph is one
item with its text as it is. What Docling leaves out all the same is put behind the rest. What does not belong
here: opening the archive.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from chunk_pipeline.conversion.docx_parts import MAIN, Parts, docx_parts, packed, parsed
from chunk_pipeline.conversion.errors import ExtractionError

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""WordprocessingML; files in the strict variant have another namespace and are left to Docling."""

TEXT_PARTS = re.compile(r"word/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml")
"""Parts that hold text."""

PARAGRAPHS = 60_000
"""Paragraphs that a file may have, those in cells among them: Docling reads about a thousand a second."""

_EMPHASIS = frozenset(
    W + name
    for name in ("b", "bCs", "i", "iCs", "u", "strike", "dstrike", "vertAlign", "color", "sz", "szCs")
)
_WRAPPERS = frozenset(
    W + name for name in ("hyperlink", "smartTag", "fldSimple", "ins", "moveTo", "customXml")
)
_UNREAD = frozenset({"Fallback", "del", "moveFrom"})
"""Second copies for old readers, and what the author has taken out."""

_PICTURES = frozenset({"blip", "imagedata"})
_TEXTS = (W + "t", W + "br", W + "tab", W + "cr", W + "noBreakHyphen")
_MERGED = frozenset({*_TEXTS, W + "rPr"})
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_LINES = re.compile(r"\s\S*[^\W_A-Z]\Z")
_LINE = re.compile(r"[A-Z][^\W\dA-Z_]\S*\s")
"""Ends and beginnings of runs that were lines of a page: ``a sword of Bronbeek`` and ``Website with``. Runs
that are parts of one word have no white space in them."""

_WORD = re.compile(r"\w+")

_Format = list[tuple[str, tuple[tuple[str, str], ...]]]


def plain_docx(data: bytes) -> bytes:
    """The file with every paragraph's runs of one format, without links and pictures.

    Raises:
        ExtractionError: The archive or a part is not as it should be.
    """
    from lxml import etree

    parts = docx_parts(data)
    changed: Parts = {}
    paragraphs = 0
    for name, content in parts.items():
        if not content:
            changed[name] = content
            continue
        root = parsed(name, content)
        if TEXT_PARTS.fullmatch(name):
            paragraphs += sum(1 for _ in root.iter("{*}p"))
            if paragraphs > PARAGRAPHS:
                raise ExtractionError(f"over {PARAGRAPHS} paragraphs; cut the document into smaller ones")
            _make_plain(root, keep_styles=_hides_text(parts))
            _separate(root)
            content = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        changed[name] = content
    return packed(changed)


def docx_paragraphs(data: bytes) -> dict[str, list[str]]:
    """The text of each paragraph that has any, by part, read from the XML alone.

    Raises:
        ExtractionError: The archive or a part is not as it should be.
    """
    parts = docx_parts(data)
    return {
        name: [text for each in parsed(name, content).iter("{*}p") if (text := _own_text(each)).strip()]
        for name, content in sorted(parts.items(), key=lambda each: (each[0] != MAIN, each[0]))
        if TEXT_PARTS.fullmatch(name)
    }


def missing_paragraphs(paragraphs: dict[str, list[str]], text: str) -> list[tuple[str, str]]:
    """(part, paragraph) of those with words that the text has not, or not as often.

    Args:
        paragraphs: As ``docx_paragraphs`` gives them.
        text: What was made of the file.
    """
    left = Counter(_WORD.findall(text))
    missing: list[tuple[str, str]] = []
    for part, texts in paragraphs.items():
        for paragraph in texts:
            words = Counter(_WORD.findall(paragraph))
            if words - left:
                missing.append((part, paragraph))
            else:
                left -= words
    return missing


def _hides_text(parts: Parts) -> bool:
    """Whether a style may hide text: then the styles of runs have to stay."""
    return b"vanish" in parts.get("word/styles.xml", b"")


def _make_plain(root: Any, keep_styles: bool) -> None:
    for properties in root.iter(W + "rPr"):
        for each in list(properties):
            if each.tag in _EMPHASIS or (each.tag == W + "rStyle" and not keep_styles):
                properties.remove(each)
    for picture in [each for each in root.iter("{*}blip", "{*}imagedata") if _local(each) in _PICTURES]:
        picture.getparent().remove(picture)
    for wrapper in [each for each in root.iter(*_WRAPPERS) if _is_inline(each)]:
        _splice(wrapper, list(wrapper))
    for run in [each for each in root.iter(W + "r") if each.getparent().tag == W + "r"]:
        _lift(run)
    for paragraph in root.iter(W + "p"):
        _merge_runs(paragraph)


def _is_inline(element: Any) -> bool:
    """Whether it stands in a paragraph: a wrapper around whole paragraphs or rows stays."""
    return not any(_local(child) in ("p", "tbl", "tr", "tc") for child in element)


def _splice(element: Any, children: list[Any]) -> None:
    """Put the children in the element's place; their text is in elements of their own."""
    parent = element.getparent()
    place = parent.index(element)
    parent[place : place + 1] = children


def _lift(run: Any) -> None:
    """Give the texts of a run that stands inside another one to that run, in place."""
    _splice(run, [child for child in run if child.tag != W + "rPr"])


def _merge_runs(paragraph: Any) -> None:
    """Give the texts of a run to the one ahead of it if that is of the same format, so that none is split."""
    into: Any = None
    format: _Format = []
    for run in list(paragraph):
        if run.tag != W + "r" or not _is_plain(run):
            into = None
            continue
        own = _format(run)
        if into is not None and own == format:
            into.extend([child for child in run if child.tag != W + "rPr"])
            paragraph.remove(run)
        else:
            into, format = run, own


def _is_plain(run: Any) -> bool:
    return all(child.tag in _MERGED for child in run)


def _format(run: Any) -> _Format:
    """Properties of a run, with their attributes."""
    properties = run.find(W + "rPr")
    if properties is None:
        return []
    return [(str(each.tag), tuple(sorted(each.attrib.items()))) for each in properties.iterdescendants()]


def _separate(root: Any) -> None:
    """Put a space between lines that a converter has written one behind the other."""
    for paragraph in root.iter(W + "p"):
        before: Any = None
        for element in paragraph.iter(*_TEXTS):
            if element.tag != W + "t":
                before = None
                continue
            if before is not None and _LINES.search(before.text or "") and _LINE.match(element.text or ""):
                before.text = f"{before.text} "
                before.set(_SPACE, "preserve")
            before = element


def _own_text(paragraph: Any) -> str:
    """Text of a paragraph without that of the paragraphs inside it (text boxes)."""
    found: list[str] = []
    for element in paragraph.iter("{*}t", "{*}br", "{*}tab", "{*}noBreakHyphen", "{*}cr"):
        owner = next((each for each in element.iterancestors("{*}p")), None)
        if owner is not paragraph or any(_local(each) in _UNREAD for each in element.iterancestors()):
            continue
        text = {"t": element.text or "", "noBreakHyphen": "-"}.get(_local(element), " ")
        if found and _LINES.search(found[-1]) and _LINE.match(text):
            found.append(" ")
        found.append(text)
    return "".join(found)


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
