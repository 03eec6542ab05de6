from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Chunk, Skip, Span
from chunk_pipeline.chunking.word_coverage import word_coverage

TEXT = "The salt barn keeps salt.\nOpen daily.\n"


def chunk(start: int, end: int, overlap: int = 0) -> Chunk:
    return Chunk(TEXT[start:end], (Span(start, end),), overlap=overlap)


def test_all_words_in_chunks_and_skips_are_all_words() -> None:
    found = word_coverage(TEXT, [chunk(0, 26)], [Skip(Span(26, 38), "hours")], "text")
    assert (found.words, found.found, found.skipped, found.share) == (5, 5, 2, 1.0)


def test_a_word_that_no_chunk_holds_is_named_with_its_number() -> None:
    body = "The barn keeps .\nOpen daily.\n"
    found = word_coverage(TEXT, [Chunk(body, (Span(0, len(TEXT)),))], [], "text")
    assert found.missing == (("salt", 2),)
    assert found.share == 5 / 7


def test_what_a_chunk_repeats_does_not_make_up_for_what_is_lost() -> None:
    repeated = [chunk(0, 20), Chunk("keeps salt.", (Span(14, 25),), overlap=5)]
    assert word_coverage(TEXT, repeated, [], "text").missing == (("Open", 1), ("daily", 1))


def test_what_a_page_repeats_is_counted_by_its_words_and_not_by_its_blanks() -> None:
    page = "<p>Salt barn,   open\n\n   daily   and free of charge.</p>"
    start, again = page.index("Salt"), page.index("open")
    end, behind = page.index("and free"), page.index("</p>")
    chunks = [
        Chunk("Salt barn, open daily", (Span(start, end),)),
        Chunk("open daily and free of charge.", (Span(again, behind),), overlap=end - again),
    ]
    assert word_coverage(page, chunks, [], "html").share == 1.0
    chunks[1] = chunks[1]._replace(body="open daily and of charge.")
    assert word_coverage(page, chunks, [], "html").missing == (("free", 1),)


def test_a_document_without_words_lacks_none() -> None:
    assert word_coverage(" - ", [], [], "text").share == 1.0


@given(st.text(), st.integers(0, 50))
def test_slices_that_partition_a_text_hold_its_words(text: str, place: int) -> None:
    cut = next((at for at in range(place, len(text)) if text[at].isspace()), len(text))
    spans = [Span(0, cut), Span(cut, len(text))]
    chunks = [Chunk(text[span.start : span.end], (span,)) for span in spans if len(span)]
    assert word_coverage(text, chunks, [], "text").share == 1.0
