"""What the pipeline makes of the sample: the fates that its README promises, and enough gold to measure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import strategies, strategy
from chunk_pipeline.corpus.categories import language
from chunk_pipeline.corpus.filtering import filter_files, scan
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.snapshot import open_snapshot
from chunk_pipeline.corpus.sources import load_sources
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.evaluation.gold.mining import ROUTES, mine

ROOT = Path(__file__).parents[1]
TEXTUAL = frozenset({"markdown", "javascript", "vue", "text"})
README = (ROOT / "data" / "sample" / "README.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Sample:
    """Rows of ``files`` by ``<repository>/<path>``, texts by digest, kept documents, and the quarantine."""

    files: dict[str, dict[str, str]]
    texts: dict[str, str]
    kept: list[Document]
    quarantine: list[dict[str, str]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    declared = load_sources(ROOT / "data" / "sources.yaml")
    whole = Sample({}, {}, [], [])
    for source in declared.sources:
        profile = declared.profile(source.profile)
        snapshot = open_snapshot(source, profile, tmp_path_factory.mktemp("cache"))
        filtered = filter_files(scan(source, profile, snapshot), snapshot, source, profile)
        labelled = label_files(filtered.files, source, profile.labels)
        rows = labelled.to_pylist()
        whole.files.update({f"{row['repository']}/{row['path']}": row for row in rows})
        whole.kept.extend(documents_of(labelled, filtered.contents))
        whole.texts.update({row["content_sha256"]: row["text"] for row in filtered.contents.to_pylist()})
        whole.quarantine.extend(filtered.quarantine.to_pylist())
    return whole


def promised_reasons() -> list[tuple[str, str]]:
    """Each dropped file of the README with its reason."""
    table = README.split("Dropped, one for each rule")[1]
    rows = re.findall(r"^\| (`[^|]+`) \| `(\w+)`", table, flags=re.MULTILINE)
    return [(name, reason) for files, reason in rows for name in re.findall(r"`([^`]+)`", files)]


def test_every_dropped_file_has_the_reason_that_the_readme_gives(sample: Sample) -> None:
    promised = promised_reasons()
    assert len(promised) == 10
    assert [(name, sample.files[name]["reason"]) for name, _ in promised] == promised
    assert len({reason for _, reason in promised}) == 8


def test_only_the_latin_1_file_is_quarantined_by_decoding(sample: Sample) -> None:
    assert [f"{row['repository']}/{row['path']}" for row in sample.quarantine] == [
        "harbour/test/data/quay-names.json"
    ]
    assert sample.quarantine[0]["error"]


@pytest.mark.parametrize(
    ("name", "encoding", "category"),
    [
        ("harbour/src/i18n/app_nl.json", "utf-8-sig", "i18n_translations"),
        ("harbour/src/schemas/vessels.update.json", "utf-8", "schemas_validation"),
        ("harbour/src/schemas/berths.get.json", "utf-8", "schemas_validation"),
        ("field-notes/test/data/legacy-stations.json", "utf-16-le", "test_fixtures"),
        ("field-notes/src/i18n/plugin_en.json", "utf-8", "i18n_translations"),
        ("atlas-docs/src/i18n/app_de.json", "utf-8", "i18n_translations"),
    ],
)
def test_the_oddities_that_are_text_are_kept(sample: Sample, name: str, encoding: str, category: str) -> None:
    row = sample.files[name]
    assert (row["fate"], row["encoding"], row["category"]) == ("kept", encoding, category)
    assert sample.texts[row["content_sha256"]].startswith("{")


def test_every_category_that_is_indexed_has_files(sample: Sample) -> None:
    counts = Counter(document.category for document in sample.kept)
    assert counts["schemas_validation"] >= 12
    assert counts["i18n_translations"] == 7
    assert (counts["docs_meta"], counts["test_config"]) == (2, 3)
    assert min(counts[each] for each in ("markdown", "javascript", "vue")) >= 12
    assert min(counts[each] for each in ("test_fixtures", "text", "other")) >= 1


@pytest.mark.parametrize("repository", ["atlas-docs", "field-notes", "harbour"])
def test_markdown_code_components_and_text_of_every_repository_are_read(
    sample: Sample, repository: str
) -> None:
    read = {document.category for document in sample.kept if document.repository == repository}
    assert read >= {"markdown", "javascript", "vue", "text"}


def test_every_route_finds_enough_gold(sample: Sample) -> None:
    routes = Counter(mine(sample.kept)["route"].to_pylist())
    assert set(routes) == {route.name for route in ROUTES}
    assert routes["i18n_value"] >= 40
    assert routes["schema_property"] >= 20
    assert min(routes.values()) >= 8


@pytest.mark.parametrize(
    ("name", "strategies", "reason"),
    [
        ("harbour/src/lib/signals.js", ("js_syntax",), "does not parse"),
        ("harbour/src/components/DredgeNotice.vue", ("vue_blocks", "vue_blocks_breadcrumb"), "not closed"),
    ],
)
def test_what_does_not_parse_is_cut_as_text_and_the_chunks_say_why(
    sample: Sample, name: str, strategies: tuple[str, ...], reason: str
) -> None:
    (document,) = (each for each in sample.kept if each.name == name)
    for each in strategies:
        pieces = list(strategy(each).cut(document))
        why = {piece.metadata.fallback for piece in pieces if isinstance(piece, Chunk)} - {None}
        assert why, each
        assert all(reason in str(text) for text in why)


def test_no_strategy_loses_text_of_the_sample(sample: Sample) -> None:
    for document in sample.kept:
        for each in strategies():
            if document.category in TEXTUAL and each.takes(document.category, language(document.path)):
                pieces = list(each.cut(document))
                chunks = [piece for piece in pieces if isinstance(piece, Chunk)]
                skips = [piece for piece in pieces if isinstance(piece, Skip)]
                assert prove(document.text, chunks, skips, each.format).holds, (document.name, each.name)
