from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.facts.languages import detect_language

SENTENCES = {
    "nl": "Het museum bewaart voorwerpen uit de geschiedenis van de stad en haar bewoners.",
    "en": "The museum keeps objects from the history of the town and of those who lived there.",
    "de": "Das Museum bewahrt Gegenstände aus der Geschichte der Stadt und ihrer Bewohner.",
    "fr": "Le musée conserve des objets de l'histoire de la ville et de ses habitants.",
}


@pytest.mark.parametrize(("language", "text"), SENTENCES.items())
def test_a_sentence_tells_its_language(language: str, text: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Het museum",
        "1234567890 " * 10,
        "https://example.org/over-ons/het-museum-en-de-stad",
        "Архив города и музей истории",
    ],
)
def test_short_texts_addresses_and_other_scripts_tell_none(text: str) -> None:
    assert detect_language(text) is None


def test_addresses_do_not_count() -> None:
    english = " https://example.org/the-history-of-the-museum-and-its-collections-in-english" * 5
    assert detect_language(SENTENCES["nl"] + english) == "nl"


def test_the_language_of_research_aids_is_that_of_their_folder(corpora: Path) -> None:
    folder = corpora / "corpora/heritage/research_aids"
    aids = sorted(folder.glob("niveau*.md"))
    assert len(aids) == 10
    for aid in aids:
        wanted = "nl" if "_Dutch_" in aid.name else "en"
        assert detect_language(aid.read_text(encoding="utf-8")) == wanted, aid.name
