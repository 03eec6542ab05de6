"""The text of a web page's bytes, and how its encoding is known.

lxml reads undeclared UTF-8 as Latin-1, so pages are decoded before they are parsed: by the byte order mark,
else by what the page declares
(https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding), else as UTF-8, by
what the source allows, or by detection. A declaration that the bytes belie is corrected, and that is said.
Nothing is replaced or ignored, so offsets stay exact. What does not belong here: parsing the page.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

_PRESCANNED = 1024
"""Bytes in which a declaration counts."""
_DETECTED_ON = 100_000
"""Bytes that detection looks at, from the first that is not ASCII."""

# UTF-32 before UTF-16: the little-endian mark of the one begins with that of the other.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
_LABELS = MappingProxyType(
    {
        # A page that can be read for its declaration is not in UTF-16, whatever it says.
        "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 utf-16 "
        "utf-16le utf-16be",
        "cp1252": "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 "
        "latin1 latin-1 l1 ascii us-ascii ansi_x3.4-1968 cp819 ibm819 iso-ir-100 csisolatin1 x-user-defined",
        "cp1250": "windows-1250 cp1250 x-cp1250",
        "cp1251": "windows-1251 cp1251 x-cp1251",
        "cp1253": "windows-1253 cp1253 x-cp1253",
        "cp1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5 l5 csisolatin5",
        "cp1255": "windows-1255 cp1255 x-cp1255",
        "cp1256": "windows-1256 cp1256 x-cp1256",
        "cp1257": "windows-1257 cp1257 x-cp1257",
        "cp1258": "windows-1258 cp1258 x-cp1258",
        "cp874": "windows-874 iso-8859-11 iso8859-11 tis-620 dos-874",
        "cp866": "ibm866 866 cp866 csibm866",
        "iso8859_2": "iso-8859-2 iso8859-2 iso_8859-2 latin2 l2 csisolatin2",
        "iso8859_3": "iso-8859-3 iso8859-3 iso_8859-3 latin3 l3",
        "iso8859_4": "iso-8859-4 iso8859-4 iso_8859-4 latin4 l4",
        "iso8859_5": "iso-8859-5 iso8859-5 iso_8859-5 cyrillic",
        "iso8859_6": "iso-8859-6 iso8859-6 iso_8859-6 arabic",
        "iso8859_7": "iso-8859-7 iso8859-7 iso_8859-7 greek",
        "iso8859_8": "iso-8859-8 iso8859-8 iso_8859-8 hebrew iso-8859-8-i",
        "iso8859_10": "iso-8859-10 iso8859-10 latin6",
        "iso8859_13": "iso-8859-13 iso8859-13",
        "iso8859_14": "iso-8859-14 iso8859-14",
        "iso8859_15": "iso-8859-15 iso8859-15 iso_8859-15 latin-9 latin9 l9",
        "iso8859_16": "iso-8859-16",
        "koi8_r": "koi8-r koi koi8 koi8_r cskoi8r",
        "koi8_u": "koi8-u koi8-ru",
        "mac_roman": "macintosh mac x-mac-roman csmacintosh",
        "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "gb18030": "gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese x-gbk csgb2312",
        "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
        "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
        "iso2022_jp": "iso-2022-jp csiso2022jp",
        "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis",
        "cp949": "euc-kr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 windows-949 cseuckr",
    }
)
"""The labels of https://encoding.spec.whatwg.org that pages use, by the codec that they mean."""
_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
_DETECTABLE = (
    "cp1252",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "koi8_r",
    "gb18030",
    "big5",
    "shift_jis",
    "euc_kr",
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_XML = re.compile(rb"\A\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
_META = re.compile(rb"<meta(?=[\s/])((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"([^\s/>=\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s;\"']+)", re.IGNORECASE)

_WORD = re.compile(r"(?<!\w)[a-zA-Z\u00a1-\u00ff\u0152-\u017e\u0192]+(?!\w)")


class HtmlEncodingError(ValueError):
    """Bytes that are no text in an encoding that is known; the message is the quarantine reason."""


@dataclass(frozen=True, slots=True)
class HtmlText:
    """A page's text.

    Attributes:
        text: Without byte order mark, line ends as they were.
        encoding: The codec that gave it.
        note: Why that is not what the page declares, or that it was guessed; empty otherwise.
    """

    text: str
    encoding: str
    note: str = ""


def decode_html(data: bytes, fallbacks: Sequence[str] = ()) -> HtmlText:
    """The text of a page.

    Args:
        data: The whole file.
        fallbacks: Encodings to try after UTF-8 and before detection, as the source gives them.

    Raises:
        HtmlEncodingError: No encoding fits, or the text holds a NUL character (then it is binary).
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return HtmlText(_strictly(data[len(mark) :], codec), name)
    declared, note = _declared(data)
    if b"\0" in data:
        raise HtmlEncodingError(
            f"binary: NUL byte at {data.find(bytes(1))}; if it is UTF-16, save it with a byte order mark"
        )
    for codec, why in _candidates(data, declared, note, fallbacks):
        try:
            return HtmlText(_strictly(data, codec), codec, why)
        except HtmlEncodingError:
            continue
    detected = _detected(data)
    if detected is None:
        raise HtmlEncodingError("no encoding that is known fits: declare it for the source (encodings)")
    why = "; ".join(part for part in (note, f"declared {declared}" if declared else "", "guessed") if part)
    return HtmlText(_strictly(data, detected), detected, why)


def _candidates(data: bytes, declared: str, note: str, fallbacks: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Codecs to try, and what is to be said if one fits."""
    is_multibyte = _is_multibyte_utf8(data)
    if declared and declared != "utf-8" and is_multibyte:
        yield "utf-8", f"declared {declared}, but it is UTF-8"
    if declared:
        yield declared, note
    corrected = f"declared {declared}, which does not fit" if declared else note
    for name in ("utf-8", *fallbacks):
        try:
            yield codecs.lookup(name).name, corrected
        except LookupError:
            continue


def _declared(data: bytes) -> tuple[str, str]:
    """The codec that a page declares, and what is odd about that; both empty where it declares none."""
    head = _COMMENT.sub(b" ", data[:_PRESCANNED])
    xml = _XML.match(head)
    labels = [xml[1]] if xml else []
    labels = [*_meta_labels(head), *labels]
    for label in labels:
        name = label.decode("ascii", errors="replace").strip().lower()
        if name in _CODECS:
            return _CODECS[name], ""
    unknown = labels[0].decode("ascii", errors="replace")[:40] if labels else ""
    return "", f"declared {unknown!r}, which is no encoding of the web" if unknown else ""


def _meta_labels(head: bytes) -> Iterator[bytes]:
    for meta in _META.finditer(head):
        attributes = {
            found[1].lower(): found[2] or found[3] or found[4] or b""
            for found in _ATTRIBUTE.finditer(meta[1])
        }
        if b"charset" in attributes:
            yield attributes[b"charset"]
        elif attributes.get(b"http-equiv", b"").strip().lower() == b"content-type":
            charset = _CHARSET.search(attributes.get(b"content", b""))
            if charset:
                yield charset[1]


def _is_multibyte_utf8(data: bytes) -> bool:
    if data.isascii():
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _detected(data: bytes) -> str | None:
    """The likeliest codec among those that pages of this kind are in, if one is likely at all."""
    if _is_western(data):
        return "cp1252"
    from charset_normalizer import from_bytes

    first = next((place for place, byte in enumerate(data) if byte > 0x7F), 0)
    best = from_bytes(
        data[max(0, first - 1000) : first + _DETECTED_ON],
        cp_isolation=list(_DETECTABLE),
        preemptive_behaviour=False,
    ).best()
    for codec in ([best.encoding] if best else []) + ["cp1252"]:
        try:
            _strictly(data, codec)
        except HtmlEncodingError:
            continue
        return codec
    return None


def _is_western(data: bytes) -> bool:
    """Whether it reads as a western European text: detection by letter counts takes Dutch for Czech."""
    try:
        text = _strictly(data, "cp1252")
    except HtmlEncodingError:
        return False
    words = [word for word in _WORD.findall(text[: 10 * _DETECTED_ON]) if not word.isascii()]
    plain = sum(letter.isascii() for word in words for letter in word)
    return all(word.isalpha() for word in words) and 2 * plain >= sum(map(len, words))


def _strictly(data: bytes, codec: str) -> str:
    try:
        text = data.decode(codec)
        text.encode()  # some codecs give lone surrogates, which no table can hold
    except UnicodeError as error:
        raise HtmlEncodingError(f"not {codec}: {getattr(error, 'reason', error)}") from error
    if (place := text.find("\0")) >= 0:
        raise HtmlEncodingError(f"binary: NUL character at {place} as {codec}")
    return text
