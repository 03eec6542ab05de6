"""A description asks, and what is about the same in another language answers; nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.description_cross_language import DescriptionCrossLanguage
from chunk_pipeline.evaluation.gold.descriptions import descriptions, first_sentences
from chunk_pipeline.evaluation.gold.language_paths import LanguagePath, language_path
from tests.evaluation.gold.documents import answers, mined

ROUTE = DescriptionCrossLanguage()
DUTCH = "Het streekmuseum bewaart sinds 1923 de geschiedenis van de dorpen langs de rivier."
ENGLISH = "The regional museum has kept the history of the villages along the river since 1923."
GERMAN = "Das Heimatmuseum bewahrt seit 1923 die Geschichte der Dörfer am Fluss."


def instance(path: str, description: str, isil: str, repository: str = "r") -> Document:
    own = f"- preferred_label: Oude Kern\n  description: {description}\n  isil: {isil}\n"
    text = own + "- preferred_label: Andere\n"
    return Document(repository, path, text, "yaml_instance")


def page(path: str, paragraph: str, head: str = "") -> Document:
    text = (
        f"<html><head>{head}</head><body><nav><p>{GERMAN}</p></nav><h1>X</h1><p>{paragraph}</p></body></html>"
    )
    return Document("r", path, text, "website")


def aid(path: str, paragraph: str, more: str = "") -> Document:
    return Document(
        "r",
        path,
        f"# Title\n\n- a list item of more than eight words in English here\n\n{paragraph}\n\n{more}",
        "document",
    )


def test_instances_that_share_an_identifier_answer_each_other_with_their_own_stretch() -> None:
    files = [instance("a.yaml", DUTCH, "NL-VbsDOK"), instance("b.yaml", ENGLISH, "NL-VbsDOK", "other")]
    dutch, english = sorted(mined(ROUTE, *files), key=lambda each: each.path)
    assert (dutch.query, dutch.languages, dutch.category) == (DUTCH, "nl-en", "yaml_instance")
    assert (english.query, english.languages) == (ENGLISH, "en-nl")
    (answer,) = answers(dutch, files)
    assert ENGLISH in answer
    assert "Andere" not in answer
    assert dutch.lexical_overlap < 0.5


def test_what_shares_neither_identifier_nor_path_is_no_pair() -> None:
    assert mined(ROUTE, instance("a.yaml", DUTCH, "NL-A1"), instance("b.yaml", ENGLISH, "NL-B1")) == []


def test_descriptions_in_one_language_are_no_pair() -> None:
    again = DUTCH.replace("Het streekmuseum", "Dit museum")
    assert mined(ROUTE, instance("a.yaml", DUTCH, "NL-A1"), instance("b.yaml", again, "NL-A1")) == []


def test_paths_that_differ_in_the_language_are_a_pair_in_any_format() -> None:
    files = [aid("Dutch/Oude.md", DUTCH), aid("English/Oude.md", ENGLISH), page("German/Oude.html", GERMAN)]
    found = {(each.path, each.category, each.languages): each for each in mined(ROUTE, *files)}
    assert sorted(key[1:] for key in found) == [
        ("document", "de-en"),
        ("document", "de-nl"),
        ("document", "en-nl"),
        ("document", "nl-en"),
        ("website", "en-de"),
        ("website", "nl-de"),
    ]
    query = found["Dutch/Oude.md", "website", "nl-de"]
    assert query.query == DUTCH
    assert answers(query, files) == [files[2].text]


def test_equal_descriptions_ask_once_and_all_counterparts_answer() -> None:
    files = [
        aid("a_nl.md", DUTCH),
        aid("a_nl.docx", DUTCH),
        aid("a_en.md", ENGLISH),
        aid("a_en.docx", ENGLISH),
    ]
    dutch = [each for each in mined(ROUTE, *files) if each.languages == "nl-en"]
    assert [(each.path, len(each.relevant)) for each in dutch] == [("a_nl.docx", 2)]


def test_a_file_in_the_wrong_folder_is_left_out() -> None:
    assert mined(ROUTE, aid("nl/a.md", DUTCH), aid("en/a.md", DUTCH.replace("streek", "dorps"))) == []


def test_a_page_is_about_its_only_isil_and_not_about_what_it_links_to() -> None:
    link = '<a href="https://www.wikidata.org/wiki/Q1954331">x</a>'
    linked = [page("a.html", DUTCH + link), page("b.html", ENGLISH + link)]
    assert mined(ROUTE, *linked) == []
    named = [page("a.html", DUTCH + " ISIL: NL-VbsDOK"), aid("b.md", ENGLISH, "ISIL: NL-VbsDOK")]
    assert {each.languages for each in mined(ROUTE, *named)} == {"nl-en", "en-nl"}
    several = aid("b.md", ENGLISH, "ISIL: NL-VbsDOK, ISIL: NL-HaNA")
    assert mined(ROUTE, named[0], several) == []


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("aids/niveau3_Dutch_Museon.yml", LanguagePath("aids/niveau3_*_Museon", "nl")),
        ("about.en.html", LanguagePath("about.*", "en")),
        ("docs/English/a.md", LanguagePath("docs/*/a", "en")),
        ("docs/Français/a.md", LanguagePath("docs/*/a", "fr")),
        ("docs/Dutchman/a.md", None),
        ("docs/en/a_nl.md", None),
        ("docs/a.de", None),
        ("docs/a", None),
    ],
)
def test_a_path_names_a_language_as_a_whole_part(path: str, named: LanguagePath | None) -> None:
    assert language_path(path) == named


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Kort.", ""),
        (
            "Een zin van genoeg tekens.  En nog\neen zin.  Een derde.",
            "Een zin van genoeg tekens. En nog een zin.",
        ),
        (f"Een zin van genoeg tekens. {'Lang ' * 70}einde.", "Een zin van genoeg tekens."),
        (f"{'Lang ' * 70}einde.", ""),
        ("", ""),
    ],
)
def test_a_query_is_a_sentence_or_two_of_15_to_300_characters(text: str, first: str) -> None:
    assert first_sentences(text) == first


def test_a_document_that_was_read_letter_by_letter_describes_nothing() -> None:
    assert list(descriptions(aid("a_nl.md", "\n".join(DUTCH)))) == []


@pytest.mark.parametrize("category", ["yaml_instance", "website", "document"])
def test_what_cannot_be_read_gives_nothing(category: str) -> None:
    assert list(descriptions(Document("r", "a", "a: [!!python/object:os.x {}", category))) == []


def test_the_research_aids_give_a_pair_for_each_subject_and_format(corpora: Path) -> None:
    folder = corpora / "corpora" / "heritage" / "research_aids"
    category = {".yml": "yaml_instance", ".md": "document"}
    files = [
        Document("aids", each.name, each.read_text(encoding="utf-8"), category[each.suffix])
        for each in sorted(folder.iterdir())
        if each.suffix in category
    ]
    found = mined(ROUTE, *files)
    counted = {(each.category, each.languages) for each in found}
    assert counted == {(each, way) for each in category.values() for way in ("nl-en", "en-nl")}
    assert len(found) == 20
    for query in found:
        base = query.path.split("_")[-1].rpartition(".")[0]
        assert {span.path.split("_")[-1].rpartition(".")[0] for span in query.relevant} == {base}
