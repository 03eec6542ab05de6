"""What a page's character data is, where each character stands, and that lxml sees the same."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.website.alignment import align
from chunk_pipeline.chunking.website.page import parse, read_page
from chunk_pipeline.chunking.website.reading import read_html, unclosed

ODD = [
    "<p>a &lt &foo; &notit; &not &#x80; &amp;amp; &AMP &nbsp;b &NotEqualTilde; &copy2",
    "a < b <3 c<",
    "<p>x<!-- c --!> y -->z<!>y<!foo>z<?pi x>w</ >q</>r<!-->s<!--->t",
    "<script><!--<script>x</script>y--></script>d<script>a<!-- </script> -->b",
    "<style>a<b></style><title>t<b>x&amp;</title><textarea>q<b>&lt;</textarea>r",
    "<iframe><p>x</p></iframe>y<noframes><p>n</p></noframes><xmp><b></xmp><noembed><i></noembed>",
    "<p><![CDATA[x<b>y]]>z<svg><title>q<b>r</b></title></svg>",
    "<script/>x</script>y<title/>x<b>y<textarea/>z",
    '<a b=c"d>e">f<a "b>c">d<a b = \'c>d\' e>f',
    "<plaintext>a<b></plaintext>",
    '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><html><p>&b;</p>',
    "<p>unclosed <b attr='x",
    "<TITLE>x</Title>y</titlex>z<script>a</scriptx></script>b",
]
ODDS_AND_ENDS = """
<p> </p> <b> </b> <!-- --> --!> <script> </script> <style> </style> <title> </title> &amp; &lt &#65; &x; < >
a bc 'd "e = / <td> <li a='b'> <br/> <svg/> <textarea> </textarea> <!d> <?e> </ &NotEqualTilde;
"""
PIECES = st.sampled_from(ODDS_AND_ENDS.split())


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("page", ODD)
def test_the_scanner_sees_the_text_that_lxml_sees(page: str) -> None:
    assert squeezed(read_html("<div>" + page).text) == squeezed("".join(parse("<div>" + page).itertext()))


@given(st.lists(PIECES, max_size=30))
def test_every_character_has_its_stretch_of_the_source(pieces: list[str]) -> None:
    text = "<p>" + " ".join(pieces)
    reading = read_html(text)
    assert len(reading.text) == len(reading.starts) == len(reading.ends)
    places = list(zip(reading.text, reading.starts, reading.ends, strict=True))
    assert all(left[1] <= right[1] for left, right in itertools.pairwise(places))
    for character, start, end in places:
        written = text[start:end]
        assert written == character or written.startswith("&") or (start == end and character == "\n")


@given(st.lists(PIECES, max_size=30))
def test_no_character_of_the_reading_is_without_a_text_node(pieces: list[str]) -> None:
    page = read_page("<p>x " + " ".join(pieces))
    held = sum(
        squeezed(page.reading.text[first:behind]) != "" and len(squeezed(page.reading.text[first:behind]))
        for first, behind in zip(page.first, page.behind, strict=True)
    )
    assert held == len(squeezed(page.reading.text))


def test_an_entity_stands_for_its_whole_stretch() -> None:
    reading = read_html("<p>caf&eacute; &amp; bar")
    place = reading.text.index("é")
    assert (reading.starts[place], reading.ends[place]) == (6, 14)


def test_blocks_are_parted_by_a_line_break_and_inline_elements_are_not() -> None:
    assert read_html("<p>een<b>twee</b></p><p>drie</p>").text.split() == ["eentwee", "drie"]


def test_what_stands_behind_the_end_of_the_page_has_a_place_in_it() -> None:
    page = read_page("<html><body><p>a</p></body></html><p>b</p>")
    assert page.unaligned == 0
    assert [page.text_of(number) for number, each in enumerate(page.elements) if each.tag == "p"] == [
        "a",
        "b",
    ]


def test_a_tag_that_is_never_closed_is_listed() -> None:
    text = '<p>hallo <a href="x>de rest van de pagina'
    assert [(each.reason, text[each.span.start : each.span.end]) for each in unclosed(text)] == [
        ("unclosed tag", '<a href="x>de rest van de pagina')
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ('{"a": "<p>x</p>"}', "JSON"),
        ("PK\x03\x04\x01\x02" * 50, "binary"),
        ("just text", "no element"),
        ('<rss version="2.0"><channel><title>x</title></channel></rss>', "no element"),
        ("<div>" * 5_000 + "x", "deep"),
        ("<p>" + "woord " * 4_000_000, "characters"),
    ],
)
def test_what_is_no_page_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(UnparsableError, match=reason):
        read_page(text)


def test_entities_of_a_document_type_are_not_expanded() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><html><body><p>&b;&b;</p></body></html>'
    assert "lol" not in read_html(bomb).text
    assert "&b;&b;" in "".join(parse(bomb).itertext())


@given(st.text("abc", max_size=60), st.text("abc", max_size=60))
def test_alignment_pairs_like_characters_in_order(left: str, right: str) -> None:
    places = align(left, right)
    paired = [(left[here], right[there]) for here, there in enumerate(places) if there >= 0]
    assert all(one == other for one, other in paired)
    known = [there for there in places if there >= 0]
    assert known == sorted(set(known))


def test_alignment_finds_its_way_behind_what_one_side_lacks() -> None:
    left = "begin" + "x" * 500 + "a sentence that both have".replace(" ", "")
    right = "begin" + "a sentence that both have".replace(" ", "")
    assert list(align(left, right)[-21:]) == list(range(5, 26))
