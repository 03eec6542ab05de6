"""The parts of a DOCX file, opened with care: a bounded archive, and XML that declares nothing.

A DOCX file is a ZIP archive of XML files, and both can be made to grow a thousandfold when they are read.
What does not belong here: what the parts say.
"""

from __future__ import annotations

import io
import stat
import zipfile
from typing import Any

from chunk_pipeline.conversion.errors import ExtractionError

ENTRIES = 5_000
"""Files that an archive may hold."""

UNPACKED = 200 * 2**20
"""Bytes that they may have together when they are unpacked."""

XML = 32 * 2**20
"""Bytes of the XML parts together: their trees in memory are some fifteen times larger."""

RATIO = 200
"""How much larger an entry over ``SMALL`` may be than it is packed; real XML of documents is 5 to 60
times."""

SMALL = 2**20
"""Bytes of an unpacked entry whose ratio is not looked at: white space packs well."""

MAIN = "word/document.xml"
"""The part that holds the text in all files that word processors write."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_XML_SUFFIXES = (".xml", ".rels")

Parts = dict[str, bytes]
"""Unpacked entries by name."""


def docx_parts(data: bytes) -> Parts:
    """The XML parts of a DOCX file, in the order of the archive; other entries with no bytes.

    Pictures and fonts are not unpacked: nobody reads them, and they too can be bombs.

    Raises:
        ExtractionError: It is no DOCX file, is locked or damaged, or would grow over the bounds.
    """
    if not data:
        raise ExtractionError("the file is empty; save it again from its program")
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise ExtractionError("the file is encrypted; save it without a password")
        raise ExtractionError("this is an old Office file (.doc), not DOCX; save it as DOCX")
    if not data.startswith(b"PK"):
        raise ExtractionError(
            "not a DOCX file, whatever its suffix says: it is no ZIP archive; save it as DOCX"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _unpacked(archive)
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        if isinstance(error, ExtractionError):
            raise
        raise ExtractionError(
            f"the DOCX archive is damaged ({error}); take a new copy of the file"
        ) from error
    except Exception as error:  # zlib.error and what other decompressors raise
        raise ExtractionError(
            f"the DOCX archive is damaged ({error}); take a new copy of the file"
        ) from error


def parsed(name: str, content: bytes) -> Any:
    """The root element of an XML part (``lxml.etree._Element``). No entity is resolved, nothing is fetched.

    Raises:
        ExtractionError: It is not well-formed, or has a document type: no word processor writes one, and
            entities are declared in it.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise ExtractionError(
            f"{name} in the DOCX archive is not XML (line {error.lineno}); save the file anew"
        ) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise ExtractionError(
            f"{name} in the DOCX archive declares a document type (entities); save the file anew"
        )
    return root


def _unpacked(archive: zipfile.ZipFile) -> Parts:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    _bounded(entries)
    names = {entry.filename for entry in entries}
    if "[Content_Types].xml" not in names:
        raise ExtractionError("not a DOCX file: the archive has no [Content_Types].xml; save it as DOCX")
    if MAIN not in names:
        kind = next((each for each in ("xl/", "ppt/") if any(name.startswith(each) for name in names)), "")
        found = {"xl/": "a spreadsheet", "ppt/": "slides"}.get(kind, f"no {MAIN}")
        raise ExtractionError(f"not a DOCX file: the archive holds {found}; save it as DOCX")
    return {
        entry.filename: archive.read(entry) if entry.filename.lower().endswith(_XML_SUFFIXES) else b""
        for entry in entries
    }


def _bounded(entries: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that would grow over the bounds, before anything is unpacked."""
    if len(entries) > ENTRIES:
        raise ExtractionError(f"the archive holds {len(entries)} files, over {ENTRIES}; save the file anew")
    if len({entry.filename for entry in entries}) < len(entries):
        raise ExtractionError("the archive holds two files of one name; save the file anew")
    for entry in entries:
        if not _is_inside(entry):
            raise ExtractionError(
                f"the archive names a file that is none of its own, {entry.filename[:100]!r}; save it anew"
            )
    if any(entry.flag_bits & 1 for entry in entries):
        raise ExtractionError("the archive is encrypted; save the file without a password")
    total = sum(entry.file_size for entry in entries)
    if total > UNPACKED:
        raise ExtractionError(
            f"unpacked it has {total} bytes, over {UNPACKED}: a ZIP bomb, or take pictures out"
        )
    for entry in entries:
        if entry.file_size > SMALL and entry.file_size > RATIO * max(1, entry.compress_size):
            raise ExtractionError(f"{entry.filename} grows over {RATIO} times when unpacked: a ZIP bomb")
    xml = sum(entry.file_size for entry in entries if entry.filename.lower().endswith(_XML_SUFFIXES))
    if xml > XML:
        raise ExtractionError(f"its XML has {xml} bytes, over {XML}; cut the document in two")


def _is_inside(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry is a plain file below the archive's root.

    Nothing is unpacked onto the disk, so a name that leads elsewhere, or a link, could do no harm here; but
    no word processor writes one, and who takes the file on might unpack it.
    """
    steps = entry.filename.split("/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    is_relative = all(step not in ("", ".", "..") for step in steps)
    return is_relative and not set("\\:\0") & set(entry.orig_filename) and kind in (0, stat.S_IFREG)


def packed(parts: Parts) -> bytes:
    """A DOCX file of these parts; the same bytes for the same parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()
