"""Sections of pages: their chunks, XPaths, facts, and what is left out of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.reading import words
from chunk_pipeline.chunking.website import outline, reading
from chunk_pipeline.chunking.website import page as page_module
from chunk_pipeline.chunking.website.page import parse
from chunk_pipeline.chunking.website.verification import misled_xpaths
from chunk_pipeline.chunking.website.xpaths import Stored
from chunk_pipeline.chunking.word_coverage import word_coverage
from tests.chunking.website.website_pages import Cut, cut

MUSEUM = """<!DOCTYPE html>
<html lang="nl"><head><title>Streekmuseum</title><style>.x{color:red}</style>
<script type="application/ld+json">{"@context":"https://schema.org","@type":["Museum","LocalBusiness"],
"name":"Streekmuseum","sameAs":"https://www.wikidata.org/wiki/Q12345","telephone":"012-3456789",
"address":{"@type":"PostalAddress","addressCountry":"NL","addressLocality":"Voorbeeldstad"}}</script></head>
<body class="withNavbar"><a href="#main">Ga naar inhoud</a>
<header><nav><a href="/">Home</a></nav></header>
<div id="cookie-banner">Wij gebruiken cookies.</div>
<main id="main"><h1>Streekmuseum</h1><p>Geopend in <b>1923</b>.</p>
<section><h2>Openingstijden</h2><table><tr><th>Dag</th><th>Van</th></tr><tr><td>Dinsdag</td><td>10:00</td></tr></table>
</section>
<section><h2>Collectie</h2><ul><li>Vazen<ul><li>Blauwe</li></ul></li><li>Tegels</li></ul>
<p hidden>geheim</p><p class="sr-only">voorgelezen</p><template>later</template>
<form><label>Naam</label><select><option>Aap</option><option>Noot</option></select></form></section>
</main>
<aside>Laatste nieuws</aside><footer>Colofon</footer></body></html>"""


@pytest.fixture(scope="module")
def museum() -> Cut:
    return cut(MUSEUM)


def test_each_heading_begins_a_section_under_the_title_and_its_headings(museum: Cut) -> None:
    assert [chunk.header for chunk in museum.chunks] == [
        "Streekmuseum",
        "Streekmuseum > Openingstijden",
        "Streekmuseum > Collectie",
    ]


def test_rows_and_items_are_shown_as_such(museum: Cut) -> None:
    assert "Dag | Van\nDinsdag | 10:00" in museum.chunks[1].body
    assert "- Vazen\n- Blauwe\n- Tegels" in museum.chunks[2].body


def test_text_that_docling_leaves_out_is_kept_in_its_place() -> None:
    page = cut(
        "<main><h1>Kop</h1><p>een</p><svg><text>twee</text></svg><object>drie</object><p>vier</p></main>"
    )
    assert [line for line in page.chunks[0].body.split("\n") if line] == [
        "Kop",
        "een",
        "twee",
        "drie",
        "vier",
    ]


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("title", "Streekmuseum"),
        ("script", "color:red"),
        ("script", "later"),
        ("navigation", "Ga naar inhoud"),
        ("navigation", "Home"),
        ("cookie notice", "Wij gebruiken cookies."),
        ("hidden", "geheim"),
        ("sidebar", "Laatste nieuws"),
        ("footer", "Colofon"),
    ],
)
def test_what_is_no_content_is_skipped_with_a_reason(museum: Cut, reason: str, text: str) -> None:
    assert text in museum.skipped(reason)
    assert all(text not in chunk.body for chunk in museum.chunks if reason != "title")


def test_every_xpath_selects_one_element_that_holds_the_section(museum: Cut) -> None:
    tree = parse(MUSEUM).getroottree()
    for chunk, facts in zip(museum.chunks, museum.facts, strict=True):
        assert facts.xpath_verified
        (element,) = tree.xpath(facts.xpath)
        assert words(chunk.body) <= words(" ".join(element.itertext()))


def test_a_section_has_the_smallest_element_that_is_its_own(museum: Cut) -> None:
    assert [each.xpath for each in museum.facts[1:]] == [
        "/html[1]/body[1]/main[1]/section[1]",
        "/html[1]/body[1]/main[1]/section[2]",
    ]


def test_sections_that_share_an_element_say_so_and_have_places_of_their_own() -> None:
    page = cut("<body><h2>Een</h2><p>a</p><h2>Twee</h2><p>b</p></body>")
    assert [each.xpath for each in page.facts] == ["/html[1]/body[1]"] * 2
    assert [each.source_id for each in page.facts] == [
        "website:page.html#/html[1]/body[1]/h2[1]",
        "website:page.html#/html[1]/body[1]/h2[2]",
    ]
    assert all("shared_element" in each.warnings[0] and each.xpath_verified for each in page.facts)


def test_a_section_that_the_stored_page_lacks_is_kept_and_flagged() -> None:
    # lxml drops all that stands behind the end of a page.
    page = cut("<html><body><h1>a</h1></body></html><h2>b</h2><p>c</p>")
    assert [each.xpath_verified for each in page.facts] == [True, False]
    assert page.chunks[1].body == "b\n\nc"
    assert page.facts[1].confidence_score < page.facts[0].confidence_score


def test_an_element_that_xpath_cannot_name_is_counted() -> None:
    (facts,) = cut("<body><p>x</p><o:p>hallo</o:p></body>").facts[:1]
    assert facts.xpath_verified
    (facts,) = cut("<body><o:p>hallo</o:p></body>").facts
    assert (facts.xpath, facts.xpath_verified) == ("/html[1]/body[1]/*[1]", True)


def test_the_facts_of_the_page_are_those_of_its_json_ld(museum: Cut) -> None:
    facts = museum.facts[1]
    assert (facts.primary_class, facts.custodian_type, facts.names) == ("Museum", ("M",), ("Streekmuseum",))
    assert (facts.country_code, facts.country_source, facts.settlement) == ("NL", "explicit", "Voorbeeldstad")
    assert [(each.scheme, each.value) for each in facts.identifiers] == [("Wikidata", "Q12345")]
    assert (facts.section_type, facts.language, facts.data_tier) == ("visit", "nl", "TIER_4_INFERRED")


def test_a_page_without_facts_has_those_of_its_source() -> None:
    given = (("country", "BE"), ("extraction_date", "2025-03-01"), ("language", "fr"))
    (facts,) = cut("<p>x</p>", attributes=given).facts
    assert (facts.country_code, facts.country_source, facts.language) == ("BE", "source", "fr")
    assert facts.primary_class == "WebPage"
    assert str(facts.extraction_date) == "2025-03-01"


def test_a_page_of_navigation_only_has_no_chunks_and_says_what_it_has() -> None:
    page = cut("<body><nav><a>Home</a></nav><footer>Colofon</footer></body>")
    assert page.chunks == []
    assert {each.reason for each in page.skips} == {"navigation", "footer"}


@pytest.mark.parametrize(
    "page",
    [
        '<div class="page-with-sidebar"><p>inhoud</p></div>',
        '<div class="sidebar"><main><p>inhoud</p></main></div>',
        '<div class="menu"><p>inhoud zonder links</p></div>',
        "<main><footer>inhoud</footer><aside>en meer</aside></main>",
        "<header><nav>x</nav><h1>inhoud</h1></header>",
        '<body class="navbar footer">inhoud</body>',
    ],
)
def test_content_that_only_looks_like_chrome_is_kept(page: str) -> None:
    assert "inhoud" in "".join(chunk.body for chunk in cut(page).chunks)


def test_a_long_section_is_cut_between_sentences_and_repeats_some_under_its_headings() -> None:
    page = cut("<h1>Lang</h1><p>" + "Deze zin gaat over het museum en zijn vazen. " * 200 + "</p>")
    assert len(page.chunks) > 5
    assert all(chunk.header == "Lang" and chunk.body.endswith((".", "Lang")) for chunk in page.chunks)
    assert all(chunk.overlap for chunk in page.chunks[1:])
    assert len({chunk.unit for chunk in page.chunks}) == 1


def test_no_row_and_no_item_is_cut() -> None:
    rows = "".join(
        f"<tr><td>Naam {each} van het object</td><td>Jaar {1000 + each}</td></tr>" for each in range(150)
    )
    page = cut(f"<h1>Lijst</h1><table>{rows}</table><ul>{'<li>een vaas van blauw glas</li>' * 150}</ul>")
    lines = [line for chunk in page.chunks for line in chunk.body.splitlines() if line and line != "Lijst"]
    assert len(page.chunks) > 5
    assert all(line.count(" | ") == 1 or line == "- een vaas van blauw glas" for line in lines)


def test_a_stretch_never_goes_over_text_that_is_left_out() -> None:
    page = cut("<p>voor<span hidden>geheim</span>na<!-- opmerking --> einde</p>")
    assert page.chunks[0].body == "voor na einde"
    assert [page.text[span.start : span.end] for span in page.chunks[0].spans] == [
        "voor",
        "na<!-- opmerking --> einde",
    ]


def test_a_page_too_large_for_docling_is_cut_by_its_own_headings_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outline, "MOST_CONVERTED", 20)
    page = cut("<h1>Groot</h1>" + "<p>x</p>" * 20)
    assert page.chunks[0].header == "Groot"
    assert all("Docling" in (chunk.metadata.fallback or "") for chunk in page.chunks)


@pytest.mark.parametrize("limit", [40, 256])
def test_a_small_budget_binds_header_and_all(limit: int) -> None:
    long = MUSEUM.replace("Geopend in", "Dit is een zin over vroeger. " * 200)
    assert len(cut(long, limit).chunks) > len(cut(long).chunks)


def test_the_same_page_gives_the_same_chunks(museum: Cut) -> None:
    assert cut(MUSEUM) == museum


@pytest.mark.parametrize(
    "page",
    [
        '<p title="' + "a" * 1_000_000 + '">x</p>',
        '<img src="data:image/png;base64,' + "A" * 1_000_000 + '"><p>x</p>',
        "<html><body><p>a</p></body></html><html><head><title>q</title></head><body><h1>b</h1>c</body></html>",
        "<frameset><frame src=a><noframes><p>x</p></noframes></frameset>",
        "<p>" + "<b>" * 150 + "x",
        "<table><tr><td colspan=1000 rowspan=65534>a</td></tr><tr><td>b</table>",
        "<h1></h1><h2><img></h2><p>x</p>",
        "<ul><h2>a</h2><li>b<p>c<li>d<table><tr><td><h3>e</h3>f</td></tr></table></ul>g",
        "<p>&NotEqualTilde;&fjlig; " * 200,
    ],
)
def test_odd_pages_lose_nothing(page: str) -> None:
    cut(page, 60)


TAGS = """
h1 h2 h3 p ul li table tr td div main nav b span section dl dt dd pre details footer aside form
"""
NODES = st.recursive(
    st.sampled_from(
        ["een", "twee. ", "drie &amp; vier", " ", "<br>", "<img alt=x>", "<!-- c -->", "<script>s</script>"]
    ),
    lambda inner: st.builds(
        lambda tag, parts, closes: f"<{tag}>" + "".join(parts) + (f"</{tag}>" if closes else ""),
        st.sampled_from(TAGS.split()),
        st.lists(inner, max_size=4),
        st.booleans(),
    ),
    max_leaves=25,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(NODES, min_size=1, max_size=5), st.sampled_from([30, 800]))
def test_nothing_of_any_page_is_lost_and_every_xpath_verifies(nodes: list[str], limit: int) -> None:
    page = cut("<body>" + "".join(nodes), limit)
    assert all(each.xpath_verified for each in page.facts)


@pytest.mark.parametrize("name", ["html_real/nde_kb_index.html", "synthetic/museum_nl.html"])
def test_real_pages_verify_and_are_covered(corpora: Path, name: str) -> None:
    path = corpora / "corpora" / "heritage" / name
    page = cut(path.read_text(encoding="utf-8"))
    assert page.chunks
    assert word_coverage(page.text, page.chunks, page.skips, "html").share == 1.0
    sections, misled = misled_xpaths(page.text, page.chunks)
    assert sections == len({each.xpath for each in page.facts})
    assert misled == ()
    assert not any(chunk.metadata.fallback for chunk in page.chunks)
    assert all(len(chunk.spans) == 1 or not chunk.overlap for chunk in page.chunks)
    assert sum(Counter(each.reason for each in page.skips).values())


def test_too_many_elements_are_refused_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_ELEMENTS", 30)
    monkeypatch.setattr(page_module, "parse", lambda text: pytest.fail("the page was parsed"))
    with pytest.raises(UnparsableError, match="split the page or exclude it"):
        page_module.read_page("<p>" + "<b>x</b>" * 30)


def test_tags_that_are_no_elements_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_ELEMENTS", 30)
    hidden = "<!-- " + "<b>" * 40 + " --><script>" + "<b>" * 40 + "</script>" + "<body><html>" * 20
    assert page_module.read_page(f"<p>{hidden}tekst</p>").elements


@pytest.mark.parametrize(
    ("path", "texts", "selects"),
    [
        ("/html[1]/body[1]/p[2]", ["twee"], True),
        ("/html[1]/body[1]/p[2]", ["een"], False),
        ("/html[1]/body[1]/*[3]", ["drie"], True),
        ("/html[1]/body[1]/p[4]", [], False),
        ("/html[1]/body[2]/p[1]", [], False),
        ("//p[@id='a']", ["twee"], True),
        ("//p", [], False),
        ("count(//p)", [], False),
        ("//p[", [], False),
    ],
)
def test_a_path_selects_one_element_with_the_texts(path: str, texts: list[str], selects: bool) -> None:
    stored = Stored(parse("<html><body><p>een</p><p id='a'>twee</p><p>drie</p></body></html>"))
    assert stored.selects(path, texts) is selects
