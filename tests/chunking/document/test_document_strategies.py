from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.budgeted import BudgetedStrategy
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.document.strategies import HybridOfDocuments, SectionsOfDocuments
from chunk_pipeline.chunking.facts.facts import DocumentFacts
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.tokens import count_tokens
from chunk_pipeline.conversion.extraction import EXTRACTED, extract
from tests.conversion.documents import FOLDER, saved

STRATEGIES = (SectionsOfDocuments(), HybridOfDocuments())
NAMES = [each.name for each in STRATEGIES]
SENTENCE = "De ketel werd vier dagen lang gestookt met turf uit het veen achter de dijk. "

GUIDE = f"""---
title: Gids
---

# Zout van Waterkerk

## Archief

{SENTENCE * 40}

| Instelling | Code |
| --- | --- |
| Stadsarchief Waterkerk | NL-WtkSAW |
| Museum De Zoutkamer | NL-WtkMDZ |

### Leeszaal

- Open op dinsdag.
- Gesloten op maandag.

## [Museum](https://zoutkamer.example/nl) {{#museum}}

Zie de [catalogus](https://zoutkamer.example/catalogus?a=1) van het museum.
"""


def markdown(text: str) -> Document:
    return Document("waterkerk", "documents/gids.md", text, "document", language="markdown")


def converted(path: Path, attributes: tuple[tuple[str, str], ...] = ()) -> Document:
    extracted = extract(path.read_bytes(), path.suffix)
    return Document(
        "waterkerk",
        f"documents/{path.name}",
        extracted.text,
        "document",
        structure=extracted.structure,
        attributes=attributes,
        language=path.suffix[1:],
    )


def bound(strategy: BudgetedStrategy, limit: int) -> BudgetedStrategy:
    return strategy.with_budget(Budget(lambda text: count_tokens([text])[0], limit, "test"))


def cut(strategy: BudgetedStrategy, document: Document) -> tuple[list[Chunk], list[Skip], Proof]:
    found = list(strategy.cut(document))
    chunks = [each for each in found if isinstance(each, Chunk)]
    skips = [each for each in found if isinstance(each, Skip)]
    proof = prove(document.text, chunks, skips, strategy.format, strategy.ceiling, strategy.size)
    return chunks, skips, proof


def facts(chunk: Chunk) -> DocumentFacts:
    assert isinstance(chunk.facts, DocumentFacts)
    return chunk.facts


SAMPLES = sorted(path for path in FOLDER.iterdir() if path.suffix in EXTRACTED)


@pytest.mark.parametrize("limit", [40, 256, 8192])
@pytest.mark.parametrize("strategy", STRATEGIES, ids=NAMES)
@pytest.mark.parametrize("name", ["guide", *(path.name for path in SAMPLES)])
def test_nothing_is_lost_and_no_text_is_over_the_budget(
    strategy: BudgetedStrategy, limit: int, name: str
) -> None:
    document = markdown(GUIDE) if name == "guide" else converted(FOLDER / name)

    chunks, skips, proof = cut(bound(strategy, limit), document)

    assert proof.holds
    assert (proof.sizes.over_limit, proof.sizes.indivisible, skips) == (0, 0, [])
    assert all(chunk.body == document.text[chunk.spans[0].start : chunk.spans[0].end] for chunk in chunks)


def test_each_piece_of_a_section_repeats_its_heading_path() -> None:
    chunks, _, _ = cut(SectionsOfDocuments(), markdown(GUIDE))

    assert [chunk.header for chunk in chunks if facts(chunk).heading_path[-1:] == ("Archief",)] == [
        "Zout van Waterkerk > Archief"
    ] * 4
    assert chunks[-1].header == "Zout van Waterkerk > Museum {#museum}"
    assert chunks[-1].body.startswith("## [Museum](https://zoutkamer.example/nl)")


def test_front_matter_is_kept_and_no_heading() -> None:
    chunks, _, _ = cut(SectionsOfDocuments(), markdown(GUIDE))

    assert chunks[0].body.startswith("---\ntitle: Gids\n---\n\n# Zout van Waterkerk\n")
    assert not any("title" in title for chunk in chunks for title in facts(chunk).heading_path)


def test_the_pieces_of_one_section_share_its_number_and_no_other_section_has_it() -> None:
    chunks, _, _ = cut(SectionsOfDocuments(), markdown(GUIDE))

    numbers: dict[str, set[tuple[str, ...]]] = {}
    for chunk in chunks:
        numbers.setdefault(facts(chunk).source_id, set()).add(facts(chunk).heading_path)
    assert all(re.fullmatch(r"document:documents/gids\.md#\d+", each) for each in numbers)
    assert all(len(paths) == 1 for paths in numbers.values())
    assert len(numbers) >= 3


def test_overlap_stays_inside_a_section_and_within_its_tokens() -> None:
    strategy = SectionsOfDocuments()
    chunks, _, proof = cut(strategy, markdown(GUIDE))

    assert proof.overlap > 0
    for before, chunk in zip([None, *chunks], chunks, strict=False):
        if chunk.overlap:
            assert before is not None
            assert facts(before).source_id == facts(chunk).source_id
            assert strategy.size(chunk.body[: chunk.overlap]) <= strategy.overlap_tokens


@pytest.mark.parametrize("limit", [40, 60, 120])
def test_rows_and_list_items_stay_whole(limit: int) -> None:
    rows = "".join(f"| Ziederij nummer {number} | {1600 + number} |\n" for number in range(60))
    items = "".join(f"- Voorwerp {number} ligt in kast {number * 7}.\n" for number in range(60))
    document = markdown(f"# Lijsten\n\n| Naam | Jaar |\n| --- | --- |\n{rows}\n## Kasten\n\n{items}")

    chunks, _, proof = cut(bound(SectionsOfDocuments(), limit), document)

    assert proof.holds
    assert len(chunks) > 10
    for line in [*rows.splitlines(), *items.splitlines()]:
        assert any(line in chunk.body for chunk in chunks), line


def test_a_heading_is_not_left_alone_at_the_end_of_a_chunk() -> None:
    document = markdown("# Gids\n\n" + SENTENCE * 3 + "\n\n## Archief\n\n" + SENTENCE * 9)

    chunks, _, _ = cut(bound(SectionsOfDocuments(), 80), document)

    assert not any(chunk.body.rstrip().endswith("## Archief") for chunk in chunks)


def test_pages_and_headings_of_a_pdf_are_told() -> None:
    chunks, _, _ = cut(SectionsOfDocuments(), converted(FOLDER / "salt-collections.pdf"))

    told = {facts(chunk).heading_path[-1]: facts(chunk).page for chunk in chunks}
    assert (told["The museum"], told["The library"]) == (1, 2)
    assert all(facts(chunk).language == "en" for chunk in chunks)
    assert any(facts(chunk).has_identifiers for chunk in chunks)


def test_a_source_gives_what_its_files_do_not_say() -> None:
    path = FOLDER / "gids-zoutonderzoek.docx"
    given = (("country", "NL"), ("data_tier", "2"), ("extraction_date", "2030-03-01"))

    chunks, _, _ = cut(SectionsOfDocuments(), converted(path, given))
    alone, _, _ = cut(SectionsOfDocuments(), converted(path))

    assert {(facts(each).country_code, facts(each).country_source) for each in chunks} == {("NL", "source")}
    assert {facts(each).data_tier for each in chunks} == {"TIER_2_VERIFIED"}
    assert {str(facts(each).extraction_date) for each in chunks} == {"2030-03-01"}
    assert {facts(each).data_tier for each in alone} == {"TIER_4_INFERRED"}


def test_headers_of_pages_are_skipped_with_a_reason_and_notes_are_not(tmp_path: Path) -> None:
    def fill(document: Any) -> None:
        document.add_paragraph(SENTENCE)
        document.sections[0].header.paragraphs[0].text = "Stadsarchief"

    path = tmp_path / "met-kop.docx"
    path.write_bytes(saved(fill))

    chunks, skips, proof = cut(SectionsOfDocuments(), converted(path))
    notes, _, _ = cut(SectionsOfDocuments(), converted(FOLDER / "gids-zoutonderzoek.docx"))

    assert [skip.reason for skip in skips] == ["header of the pages"]
    assert proof.holds
    assert len(chunks) == 1
    assert notes[-1].body.startswith("De kaart van 1648 is te broos")
    assert notes[-1].header == ""


@pytest.mark.parametrize("strategy", STRATEGIES, ids=NAMES)
def test_a_structure_of_another_text_is_a_fallback_that_says_so(strategy: BudgetedStrategy) -> None:
    there = converted(FOLDER / "salt-collections.pdf")
    document = Document("r", "a.pdf", SENTENCE, "document", structure=there.structure, language="pdf")

    chunks, _, proof = cut(strategy, document)

    assert proof.holds
    assert {chunk.metadata.fallback for chunk in chunks} == {"its structure is of another text"}


@pytest.mark.parametrize("strategy", STRATEGIES, ids=NAMES)
def test_blank_documents_are_skipped_and_empty_ones_have_nothing(strategy: BudgetedStrategy) -> None:
    assert [each.reason for each in cut(strategy, markdown(" \n\n\t\n"))[1]] == ["blank document"]
    assert list(strategy.cut(markdown(""))) == []


@pytest.mark.parametrize("strategy", STRATEGIES, ids=NAMES)
@given(
    lines=st.lists(
        st.sampled_from(
            [
                "# Eén",
                "## Twee",
                "### Drie",
                "",
                "",
                "tekst over zout.",
                "- punt",
                "  - dieper",
                "1. eerst",
                "| a | b |",
                "| --- | --- |",
                "> citaat",
                "```",
                "code()",
                "<div>html</div>",
                "[a](b)",
                "***",
                "Twee\n===",
                "&amp; é 日本",
                "\\# geen kop",
                "![beeld](x.png)",
                "`a | b`",
                "---",
            ]
        ),
        max_size=25,
    )
)
@settings(max_examples=40, deadline=None)
def test_any_markdown_is_cut_without_loss(strategy: BudgetedStrategy, lines: list[str]) -> None:
    document = markdown("\n".join(lines))

    _, _, proof = cut(bound(strategy, 40), document)

    assert proof.holds or not document.text.strip()
    assert proof.sizes.over_limit == 0


def test_research_aids_are_cut_without_loss(corpora: Path) -> None:
    paths = sorted((corpora / "corpora/heritage/research_aids").glob("niveau*.md"))
    assert len(paths) == 10
    for path in paths:
        document = markdown(path.read_text(encoding="utf-8"))
        chunks, skips, proof = cut(SectionsOfDocuments(), document)

        assert proof.holds, path.name
        assert (proof.sizes.over_limit, proof.fallbacks, skips) == (0, (), []), path.name
        headings = [line.lstrip("# ").strip() for line in document.text.splitlines() if line.startswith("#")]
        told = {title for chunk in chunks for title in facts(chunk).heading_path}
        assert told == {heading for heading in headings if heading}, path.name
