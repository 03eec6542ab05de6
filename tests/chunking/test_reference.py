"""The structural table of the Kalisio JSON-chunking study, on its own files."""

from __future__ import annotations

import statistics
from collections import Counter
from pathlib import Path

import pytest
from chunking_documents import NAMES, kalisio

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.syntax import parses

TABLE = {
    "json_recursive_text": (971, 450, 467, 493, 500, 0.0, 0.7),
    "json_recursive_tree": (946, 380, 412, 490, 499, 0.0, 100.0),
    "json_category": (1134, 340, 363, 628, 1375, 4.2, 100.0),
    "json_category_breadcrumb": (1134, 388, 409, 682, 1432, 4.6, 100.0),
}
BY_CATEGORY = {
    "i18n_translations": (692, 699, 842, 842),
    "schemas_validation": (174, 174, 222, 222),
    "test_fixtures": (102, 69, 69, 69),
    "test_config": (3, 4, 1, 1),
}


@pytest.fixture(scope="module")
def documents(corpora: Path) -> list[Document]:
    return list(kalisio(corpora))


def test_the_study_has_sixty_files(documents: list[Document]) -> None:
    assert Counter(each.category for each in documents) == {
        "i18n_translations": 16,
        "schemas_validation": 32,
        "test_fixtures": 11,
        "test_config": 1,
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_structural_table_is_the_studys(name: str, documents: list[Document]) -> None:
    chunks = [each for source in documents for each in strategy(name).cut(source) if isinstance(each, Chunk)]
    sizes = sorted(len(chunk.text) for chunk in chunks)
    count = len(sizes)
    # The study cuts fractions of a character off (its D has a median of 409.5 and a mean of 388.9).
    assert (
        count,
        int(statistics.mean(sizes)),
        int(statistics.median(sizes)),
        sizes[int(0.95 * count)],
        sizes[-1],
        round(100 * sum(size > 750 for size in sizes) / count, 1),
        round(100 * sum(parses("json", chunk.body) for chunk in chunks) / count, 1),
    ) == TABLE[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_categories_have_the_studys_counts(name: str, documents: list[Document]) -> None:
    counts = Counter(
        source.category
        for source in documents
        for each in strategy(name).cut(source)
        if isinstance(each, Chunk)
    )
    assert counts == {category: row[NAMES.index(name)] for category, row in BY_CATEGORY.items()}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_and_every_span_is_exact(name: str, corpora: Path) -> None:
    everything = ("kept", "excluded_filename", "pruned_dir", "too_large")
    for source in kalisio(corpora, everything):
        cut = list(strategy(name).cut(source))
        chunks = [each for each in cut if isinstance(each, Chunk)]
        proof = prove(source.text, chunks, [each for each in cut if isinstance(each, Skip)], "json")
        assert proof.holds, (source.name, proof)


def test_overwritten_labels_are_kept_by_ours_and_listed_by_the_baseline(documents: list[Document]) -> None:
    source = next(each for each in documents if each.name == "crisis/src/i18n/crisis_en.json")
    texts = [each.text for each in strategy("json_category").cut(source) if isinstance(each, Chunk)]
    assert any('"CATALOG": "Map"' in text for text in texts)
    skips = [each for each in strategy("json_recursive_tree").cut(source) if isinstance(each, Skip)]
    assert [source.text[skip.span.start : skip.span.end] for skip in skips] == ['"CATALOG": "Map"']
