"""How a page's encoding is found, and when what it declares is not believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.conversion.html_decoding import HtmlEncodingError, HtmlText, decode_html

MANY_TO_ONE = frozenset({"big5", "cp932", "cp949", "euc_kr", "gb18030", "shift_jis"})
"""Codecs in which two byte sequences may mean one character."""

WORD = "café “naïef”"


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"\xef\xbb\xbf<p>x", "utf-8-sig", "<p>x"),
        ("\ufeff<p>é".encode("utf-16-be"), "utf-16-be", "<p>é"),
        ("<p>é".encode(), "utf-8", "<p>é"),
        (
            f'<meta charset="iso-8859-1">{WORD}'.encode("cp1252"),
            "cp1252",
            f'<meta charset="iso-8859-1">{WORD}',
        ),
        (
            "<meta content='text/html; charset=Shift_JIS' http-equiv=Content-Type>日本".encode("cp932"),
            "cp932",
            None,
        ),
        ('<?xml version="1.0" encoding="ISO-8859-15"?><html>€'.encode("iso8859_15"), "iso8859_15", None),
        (b'<!-- <meta charset="koi8-r"> --><p>x', "utf-8", None),
        (b"<meta charset=utf-16><p>x", "utf-8", None),
    ],
)
def test_mark_then_declaration_then_utf_8(data: bytes, encoding: str, text: str | None) -> None:
    found = decode_html(data)
    assert (found.encoding, found.note) == (encoding, "")
    assert text is None or found.text == text


def test_utf_8_that_is_declared_as_latin_1_is_corrected_and_said() -> None:
    found = decode_html(f'<meta charset="iso-8859-1">{WORD}'.encode())
    assert found.text.endswith(WORD)
    assert found.note == "declared cp1252, but it is UTF-8"


def test_a_declaration_that_cannot_be_is_corrected_and_said() -> None:
    found = decode_html(f"<meta charset=utf-8><p>{WORD} in Utrecht".encode("cp1252"))
    assert found.text.endswith(f"{WORD} in Utrecht")
    assert found.note == "declared utf-8; guessed"


def test_the_encodings_of_the_source_go_before_a_guess() -> None:
    data = "<p>Łódź".encode("iso8859_2")
    assert decode_html(data, ["no-such-codec", "iso-8859-2"]) == HtmlText("<p>Łódź", "iso8859-2", "")


def test_an_unknown_label_is_said() -> None:
    assert "'utf-7'" in decode_html(b"<meta charset=utf-7><p>x").note


def test_a_declaration_behind_the_first_1024_bytes_does_not_count() -> None:
    assert decode_html(b"<!--" + b"x" * 1100 + b"--><meta charset=koi8-r><p>x").encoding == "utf-8"


@pytest.mark.parametrize("text", ["Музей истории города, открыт ежедневно", "Städtische Sammlung für Kunst"])
def test_undeclared_text_is_guessed_and_said(text: str) -> None:
    encoding = "cp1251" if text.startswith("М") else "cp1252"
    assert decode_html(text.encode(encoding)) == HtmlText(text, encoding, "guessed")


@pytest.mark.parametrize("data", [b"<p>a\0b", bytes(range(256)), "<p>x".encode("utf-16-le")])
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(HtmlEncodingError, match="binary"):
        decode_html(data)


@given(st.binary(max_size=300))
def test_nothing_is_replaced(data: bytes) -> None:
    try:
        found = decode_html(data)
    except HtmlEncodingError:
        return
    marked = found.encoding.endswith("-sig") or found.encoding.startswith(("utf-16", "utf-32"))
    assert marked or found.text.encode(found.encoding) == data or found.encoding in MANY_TO_ONE
