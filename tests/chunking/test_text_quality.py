from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.text_quality import FEWEST_LINES, LONGEST_RUN, text_quality

PARAGRAPH = "Het archief van de zoutpannen ligt aan de haven en is elke dinsdag geopend.\n"


def test_the_page_that_was_cut_into_characters_is_caught(corpora: Path) -> None:
    path = corpora / "corpora/heritage/research_aids/EXPLODED_one_char_per_line_Museon_nl.md"

    quality = text_quality(path.read_text(encoding="utf-8"))

    assert quality.is_exploded
    assert quality.single_share > 0.8
    assert "one character" in quality.damages[0]


def test_no_other_research_aid_is_taken_for_one(corpora: Path) -> None:
    folder = corpora / "corpora/heritage/research_aids"
    texts = [path for path in sorted(folder.iterdir()) if path.suffix in {".md", ".yml"}]

    damaged = [path.name for path in texts if text_quality(path.read_text(encoding="utf-8")).damages]

    assert damaged == ["EXPLODED_one_char_per_line_Museon_nl.md"]


def test_a_part_that_is_exploded_is_enough() -> None:
    exploded = "\n".join(PARAGRAPH.replace(" ", "") * 4)

    assert text_quality(PARAGRAPH * 2000 + exploded).is_exploded


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH * 3,
        "O\nzee\n\nzo\nwijd\n\nik\n" * 20,
        "a;b\n1;2\n3;4\n" * 100,
        "flag\n" + "Y\nN\n" * 300,
        "count\n" + "\n".join("0123456789" * 60),
        "\n".join("博物館收藏歷史文物檔案館" * 40),
        "\n".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        "\n".join(f"## {letter}\n\n{letter}arde en {letter}ost" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        "",
    ],
    ids=["prose", "poem", "csv", "flags", "digits", "chinese", "alphabet", "glossary", "empty"],
)
def test_short_lines_alone_are_no_damage(text: str) -> None:
    assert text_quality(text).damages == ()


def test_a_run_is_as_long_as_it_says() -> None:
    assert text_quality("\n\n".join("abcdefghij" * (LONGEST_RUN // 10))).longest_run == LONGEST_RUN
    assert not text_quality("\n".join("abcdefghijkl"[: FEWEST_LINES - 1])).is_exploded


def test_text_decoded_twice_is_counted() -> None:
    spoilt = "Musée d'été – “collection”".encode().decode("cp1252", errors="replace")

    assert text_quality(spoilt).mojibake >= 4
    assert text_quality("Musée".encode().decode("latin-1")).mojibake == 1


@pytest.mark.parametrize("text", ["Ça va à Ângela", "CHÂTEAU", "São Paulo, Ã", "à la carte — “où”", "50 °Â"])
def test_accents_are_no_mojibake(text: str) -> None:
    assert text_quality(text).mojibake == 0


def test_what_could_not_be_decoded_is_counted() -> None:
    quality = text_quality("Mus\N{REPLACEMENT CHARACTER}e \x93quoted\x94")

    assert (quality.replacements, quality.controls) == (1, 2)
    assert len(quality.damages) == 2
