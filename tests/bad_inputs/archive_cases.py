"""Archives that grow, lead elsewhere or are none: row 63 of the table of bad inputs.

DOCX is the one archive that is opened, in memory; what must not be in it is looked for before anything is
unpacked. Other archives are left out by their suffix.
"""

from __future__ import annotations

import io
import stat
import tarfile
import warnings
import zipfile
from collections.abc import Iterator, Mapping

from tests.bad_inputs.case import Case, Right
from tests.end_to_end.heritage_bad_inputs import docx, paragraph

HELD = "The salt museum keeps its kettles under the roof."
DOCX = docx(paragraph(HELD))
OUTSIDE = {
    "a name that leads out": "../../outside.xml",
    "a name that leads out from inside": "word/../../outside.xml",
    "an absolute name": "/tmp/outside.xml",
    "a name of Windows": "..\\..\\outside.xml",
    "a drive": "C:/outside.xml",
    "a name with a dot": "word/./outside.xml",
    "a name with an empty step": "word//outside.xml",
}


def _file(what: str, data: bytes, right: Right, says: str, suffix: str = ".docx") -> Case:
    path = f"row63/{what.replace(' ', '-')}{suffix}"
    return Case(f"row 63 {what}", path, data, right, says, profile="archive")


def with_entries(entries: Mapping[str, bytes], *, mode: int = 0, repeated: bool = False) -> bytes:
    """The DOCX file with more entries, stored as they are named."""
    buffer = io.BytesIO(DOCX)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A name that is there already.
        for name, content in entries.items():
            entry = zipfile.ZipInfo("x")
            entry.filename, entry.external_attr = name, mode << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
            if repeated:
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _locked() -> bytes:
    """The DOCX file with the mark of an encrypted entry, in the entry and in the directory."""
    data = bytearray(DOCX)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + place] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


def _lying() -> bytes:
    """The DOCX file with an entry whose size is more than its directory says."""
    data = bytearray(with_entries({"word/long.xml": b"<a>" + b" " * 100_000 + b"</a>"}))
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    return bytes(data)


def _tar(name: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(HELD)
        archive.addfile(entry, io.BytesIO(HELD.encode()))
    return buffer.getvalue()


def _cases() -> Iterator[Case]:
    blank = b" " * 50_000_000
    yield _file("a part that grows", docx("<w:p/>" + " " * 40_000_000), "quarantined", "zip bomb")
    yield _file("a picture that grows", with_entries({"word/media/a.png": blank}), "quarantined", "zip bomb")
    many = {f"word/media/{number}.png": b"" for number in range(5_001)}
    yield _file("more files than a document has", with_entries(many), "quarantined", "files, over 5000")
    wide = {f"word/part{number}.xml": b"<a>" + b"<b/>" * 250_000 + b"</a>" for number in range(34)}
    yield _file("much XML that packs well", with_entries(wide), "quarantined", "its xml has")
    for what, name in OUTSIDE.items():
        yield _file(what, with_entries({name: b"<a/>"}), "quarantined", "none of its own")
    link = with_entries({"word/link.xml": b"/etc/passwd"}, mode=stat.S_IFLNK | 0o777)
    yield _file("a link", link, "quarantined", "none of its own")
    twice = with_entries({"word/document.xml": b"<a/>"})
    yield _file("two files of one name", twice, "quarantined", "two files of one name")
    yield _file("a locked archive", _locked(), "quarantined", "encrypted")
    yield _file("a size that is a lie", _lying(), "quarantined", "damaged")
    yield _file("an archive that was cut off", DOCX[:-100], "quarantined", "damaged")
    yield _file(
        "an archive in front of which stands more", b"#!/bin/sh\n" + DOCX, "quarantined", "not a docx"
    )
    yield _file("an archive of something else", with_no_document(), "quarantined", "not a docx")
    for suffix, data in (
        (".zip", DOCX),
        (".gz", _tar("../outside")),
        (".tar", _tar("a")),
        (".7z", b"7z\xbc\xaf"),
    ):
        yield _file(f"an archive as such {suffix[1:]}", data, "excluded", "binary_or_non_text", suffix)


def with_no_document() -> bytes:
    """An archive that is no document."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", HELD)
    return buffer.getvalue()


ARCHIVE_CASES: tuple[Case, ...] = tuple(_cases())
