"""Web pages as Docling's chunker cuts them, and where its chunks stand in the page."""

from __future__ import annotations

import pytest

from chunk_pipeline.chunking.budget import Budget, unbound
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.website import hybrid
from chunk_pipeline.chunking.website.hybrid import LEFT_OUT
from chunk_pipeline.chunking.website.hybrid_strategy import HybridOfPages
from chunk_pipeline.conversion.html_docling import HtmlConversionError

PAGE = """<!doctype html><html><head><title>Streekmuseum</title><meta charset="iso-8859-1">
<script>var x = "script";</script></head><body>
<nav><ul><li><a href="https://example.org/a">Home</a></li><li><a href="/b">Over</a></li></ul></nav>
<main><h1>Streekmuseum</h1><p>Geopend in <b>19</b>23 &amp; <a href="https://example.org/c">verbouwd</a>.</p>
<h2>Openingstijden</h2><ol><li>Dinsdag</li><li>Café</li></ol>
<table><tr><th>Dag</th><th>Van</th></tr><tr><td>di</td><td>10:00</td></tr></table>
<p hidden>verborgen</p></main><footer>Colofon</footer></body></html>"""


def cut(text: str, limit: int | None = None) -> tuple[list[Chunk], list[Skip]]:
    """Cut a page and prove that nothing is lost, spans are exact and no chunk is too large."""
    used = HybridOfPages()
    if limit is not None:
        used = used.with_budget(Budget(unbound().count, limit, "test"))
    pieces = list(used.cut(Document("site", "page.html", text, "website")))
    chunks = [piece for piece in pieces if isinstance(piece, Chunk)]
    skips = [piece for piece in pieces if isinstance(piece, Skip)]
    proof = prove(text, chunks, skips, "html", used.ceiling, used.size)
    assert proof.holds, (proof.uncovered, proof.inexact, proof.disordered, proof.misjoined)
    assert proof.sizes.over_limit == 0
    return chunks, skips


def test_chunks_have_docling_s_headings_and_its_text_with_the_new_heading_above() -> None:
    chunks, _ = cut(PAGE)
    assert [chunk.header for chunk in chunks] == ["", "Streekmuseum", "Streekmuseum > Openingstijden"]
    assert chunks[2].body.startswith("Openingstijden\n- Dinsdag\n- Café\n| Dag")


def test_navigation_stays_in_the_chunks() -> None:
    chunks, _ = cut(PAGE)
    assert chunks[0].body == "- Home\n- Over"


def test_addresses_and_marks_of_emphasis_are_not_in_them() -> None:
    chunks, _ = cut(PAGE)
    assert "example.org" not in "".join(chunk.text for chunk in chunks)
    assert "**" not in "".join(chunk.text for chunk in chunks)


def test_a_word_over_the_edge_of_two_elements_is_whole_as_in_the_page() -> None:
    # Docling reads "19" and "23".
    chunks, _ = cut(PAGE)
    assert chunks[1].body == "Streekmuseum\nGeopend in 1923 & verbouwd."


def test_what_docling_does_not_read_is_skipped_with_a_reason() -> None:
    _, skips = cut(PAGE)
    assert {skip.reason for skip in skips} == {LEFT_OUT}
    left = [PAGE[skip.span.start : skip.span.end] for skip in skips]
    assert len(left) == 2
    assert left[0].startswith("Streekmuseum</title>")
    assert left[0].endswith('var x = "script";')
    assert left[1] == "verborgen</p></main><footer>Colofon"  # Docling's chunker takes no footers.


def test_chunks_have_no_facts_and_the_strategy_says_so() -> None:
    chunks, _ = cut(PAGE)
    assert all(chunk.facts is None for chunk in chunks)
    assert strategy("docling_hybrid_html").gives_facts is False


@pytest.mark.parametrize("limit", [256, 40, 12])
def test_small_budgets_hold_with_the_header(limit: int) -> None:
    chunks, _ = cut(PAGE.replace("verbouwd", "verbouwd en heropend. " * 100), limit)
    assert len(chunks) > 3


def test_a_heading_that_repeats_is_not_taken_for_another_one() -> None:
    text = "<h1>Kop</h1>" + "<h2>Zaal</h2><p>Hier hangt een schilderij van de molen.</p>" * 3
    chunks, skips = cut(text)
    assert chunks[0].body.count("schilderij") == 3
    assert [text[each.span.start : each.span.end] for each in skips] == ["Zaal", "Zaal"]


@pytest.mark.parametrize("text", ["", '{"a": 1}', "plain", "<div>" * 300 + "x"])
def test_what_website_refuses_is_refused(text: str) -> None:
    document = Document("site", "page.html", text, "website")
    reasons = []
    for name in ("website", "docling_hybrid_html"):
        with pytest.raises(UnparsableError) as refused:
            list(strategy(name).cut(document))
        reasons.append(str(refused.value))
    assert reasons[0] == reasons[1]


def test_a_page_that_docling_fails_on_is_one_chunk_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(page: str) -> None:
        raise HtmlConversionError("Docling cannot convert the page: KeyError")

    monkeypatch.setattr(hybrid, "html_document", fail)
    chunks, skips = cut(PAGE)
    assert [chunk.metadata.fallback for chunk in chunks] == ["Docling cannot convert the page: KeyError"]
    assert "verborgen" in chunks[0].body
    assert len(skips) == 1


@pytest.mark.parametrize(
    ("unit", "reason"),
    [("<p>zin</p>", "elements"), ("<p>zin", "without an end tag"), ("<li>zin", "without an end tag")],
)
def test_what_takes_docling_minutes_is_not_given_to_it(
    unit: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hybrid, "MOST_ELEMENTS", 40)
    monkeypatch.setattr(hybrid, "MOST_UNENDED", 20)
    chunks, _ = cut(unit * (50 if reason == "elements" else 30))
    assert all(reason in (chunk.metadata.fallback or "") for chunk in chunks)
