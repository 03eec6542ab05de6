"""What acts or hides is written out, what a script needs is left, and JSON reads back exactly."""

from __future__ import annotations

import json
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.warehouse.plain_text import cut_short, json_text, plain_lines, plain_text

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "steal")
ACTING = frozenset({"Cc", "Co", "Cs", "Zl", "Zp"})
JOINERS = "\u200c\u200d"
SELECTORS = "".join(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x180B, 0x180C, 0x180D, 0x180F))
)

texts = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x00\x07\x1b\x7f\x9b\r\n\t \u200b\u200e\u202e\u2066\u2069\u061c\ufeff\u2028\u2029"),
        st.sampled_from(JOINERS + SELECTORS[:3] + "👩🚀❤\U0001f3fdکक\u094dष葛1\u20e3" + TAGS),
    )
)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("pass\rword\x08\x7f", "pass\\rword\\x08\\x7f"),
        ("user\u202egnp.exe\u202c", "user\\u202egnp.exe\\u202c"),
        ("\u2066\u2067\u2068\u2069\u200e\u200f\u061c", "\\u2066\\u2067\\u2068\\u2069\\u200e\\u200f\\u061c"),
        ("ad\u200bmin\ufeff \u2060\u00ad", "ad\\u200bmin\\ufeff \\u2060\\xad"),
        ("a\u2028b\u2029c\x85d", "a\\u2028b\\u2029c\\x85d"),
        ("a\u3164b\u115f\uffa0\u034f", "a\\u3164b\\u115f\\uffa0\\u034f"),
        ("\ue000\ud800\ufffe", "\\ue000\\ud800\\ufffe"),
        (f"x{TAGS}", "x" + "".join(f"\\u{{{ord(letter):x}}}" for letter in TAGS)),
        (f"🏴{TAGS}\U000e007f", "🏴" + "".join(f"\\u{{{ord(letter):x}}}" for letter in TAGS) + "\\u{e007f}"),
        ("😀\U000e0101\U000e0102", "😀\\u{e0101}\\u{e0102}"),
        ("a\ufe0fb\u200dc\u200c", "a\\ufe0fb\\u200dc\\u200c"),
        ("a\ufe0f\u200d😀", "a\\ufe0f\\u200d😀"),
        ("two\nlines\tand tabs", "two\\nlines\\tand tabs"),
    ],
)
def test_what_acts_or_hides_is_written_out(hostile: str, shown: str) -> None:
    assert plain_text(hostile) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain ASCII, with \\x1b spelt out",
        "Ærøskøbing, Αθήνα, Київ, 日本語, 한국어, ไทย, שלום, مرحبا",
        "می‌خواهم",
        "श्रीमान्‌जी क्‍ष",
        "👩‍🚀 👨‍👩‍👧 🏳️‍🌈 ❤️‍🔥 👩🏽‍💻 🙂‍↔️ 1️⃣ #️⃣ ☎︎ ©️ ‼️ ℹ️",
        "🇳🇱 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "葛\U000e0100城 辻\U000e0101",
        "ᠮᠣᠩᠭᠣᠯ\u180b ᠤ\u180bᠨ",
        "\u0600١٢ \u06dd",
        "e\u0301 ñ \u00a0 \u3000",
    ],
)
def test_text_of_any_script_is_left_as_it_is(text: str) -> None:
    assert plain_text(text) == text
    assert plain_lines(text) == text


@settings(deadline=None)
@given(texts)
def test_nothing_that_acts_is_left(text: str) -> None:
    shown = plain_text(text)
    assert not any(unicodedata.category(character) in ACTING for character in shown)
    assert not set(shown) & set(
        "\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
    )
    assert not any(
        left in JOINERS + SELECTORS and right in SELECTORS + "\u200c" for left, right in pairwise(shown)
    )


@settings(deadline=None)
@given(texts)
def test_showing_twice_shows_the_same(text: str) -> None:
    assert plain_text(plain_text(text)) == plain_text(text)
    assert plain_lines(plain_lines(text)) == plain_lines(text)


@settings(deadline=None)
@given(texts)
def test_only_line_breaks_and_tabs_tell_lines_from_one_line(text: str) -> None:
    assert plain_lines(text).replace("\n", "\\n").replace("\t", "\\t") == plain_text(text)


@settings(deadline=None)
@given(texts, st.integers(2, 40))
def test_a_cut_text_is_as_long_as_asked_and_begins_as_the_text_does(text: str, limit: int) -> None:
    cut = cut_short(text, limit)
    assert len(cut) <= limit
    if len(plain_text(text)) > limit:
        assert cut.endswith("…")
    else:
        assert cut == plain_text(text)
    assert cut.encode().decode() == cut


values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(values)
def test_json_reads_back_and_holds_nothing_that_acts(value: object) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert plain_text(text) == text
    assert not set(text) & set(JOINERS + SELECTORS)
    assert text.encode().decode() == text


def test_json_leaves_letters_of_any_script_readable() -> None:
    assert json_text({"name": "Αθήνα 日本 🚀"}) == '{"name": "Αθήνα 日本 🚀"}'
