from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.corpus.decoding import Decoded, UndecodableError, decode

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))


@settings(max_examples=100, deadline=None)
@given(TEXT)
def test_marked_text_of_every_width_comes_back_unchanged(text: str) -> None:
    marked = {
        "utf-8-sig": codecs.BOM_UTF8 + text.encode(),
        "utf-16-le": codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
        "utf-16-be": codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        "utf-32-le": codecs.BOM_UTF32_LE + text.encode("utf-32-le"),
        "utf-32-be": codecs.BOM_UTF32_BE + text.encode("utf-32-be"),
    }
    for encoding, data in marked.items():
        assert decode(data) == Decoded(text, encoding)


@settings(max_examples=200, deadline=None)
@given(st.binary())
def test_bytes_are_decoded_exactly_or_refused(data: bytes) -> None:
    try:
        decoded = decode(data, ["latin-1"])
    except UndecodableError:
        return
    mark = {"utf-8-sig": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
    start = mark.get(decoded.encoding, b"")
    encoding = decoded.encoding.removesuffix("-sig")
    assert start + decoded.text.encode(encoding) == data


def test_line_ends_are_left_alone() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


def test_only_the_first_mark_is_removed() -> None:
    assert decode(codecs.BOM_UTF8 * 2 + b"x").text == "\ufeffx"


def test_a_bad_byte_is_named_by_its_place() -> None:
    with pytest.raises(UndecodableError, match="not utf-8: invalid start byte at byte 3"):
        decode(b"caf\xe9 noir".replace(b"\xe9", b"\xff"))


def test_declared_encodings_are_tried_in_order() -> None:
    assert decode(b"caf\xe9", ["ascii", "latin-1"]) == Decoded("café", "iso8859-1")
    assert decode(b"\x80", ["cp1252", "latin-1"]) == Decoded("€", "cp1252")


def test_utf8_goes_before_declared_encodings() -> None:
    assert decode("café".encode(), ["latin-1"]).encoding == "utf-8"


def test_nul_means_binary_even_where_latin_1_would_take_it() -> None:
    with pytest.raises(UndecodableError, match="binary: NUL character at 4"):
        decode(b"\x89PNG\0\0", ["latin-1"])


def test_unmarked_utf16_is_read_where_it_is_declared() -> None:
    assert decode("über".encode("utf-16-le"), ["utf-16-le"]).text == "über"


def test_a_mark_decides_against_later_encodings() -> None:
    with pytest.raises(UndecodableError, match="utf-16-le"):
        decode(codecs.BOM_UTF16_LE + b"x", ["latin-1"])


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(UndecodableError, match="not utf-8"):
        decode(b"\xed\xa0\x80")
