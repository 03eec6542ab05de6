"""The public study's corpus gives the study's files, bytes, fates and categories."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.corpus.entry import Entry
from chunk_pipeline.corpus.fates import NOT_WHITELISTED, is_whitelisted, reason_before_reading
from chunk_pipeline.corpus.filtering import filter_files, scan
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.paths import is_pruned
from chunk_pipeline.corpus.profiles import BUILT_IN
from chunk_pipeline.corpus.snapshot import open_snapshot
from chunk_pipeline.corpus.source import Source

REPOSITORIES = ("crisis", "kano", "kapp", "kdk", "skeleton")
REASONS = {
    "excluded_filename": ("dropped", "excluded_filename"),
    "kept": ("kept", None),
    "pruned_dir": None,
    "too_large": ("dropped", "file_too_large"),
}


def labelled(corpora: Path, tmp_path: Path, profile: str) -> dict[str, dict[str, Any]]:
    """Rows of ``files`` of all five folders, by ``<repository>/<path>``."""
    rows = {}
    for name in REPOSITORIES:
        source = Source(name=name, kind="folder", path=corpora / "corpora" / "kalisio" / name)
        chosen = BUILT_IN[profile]
        snapshot = open_snapshot(source, chosen, tmp_path)
        outcome = filter_files(scan(source, chosen, snapshot), snapshot, source, chosen, None)
        for row in label_files(outcome.files, source).to_pylist():
            rows[f"{name}/{row['path']}"] = row
    return rows


def manifest(corpora: Path, name: str) -> list[dict[str, str]]:
    with (corpora / "corpora" / "kalisio_manifest" / name).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def rag_rows(corpora: Path, tmp_path: Path) -> dict[str, dict[str, Any]]:
    return labelled(corpora, tmp_path, "js_vue_rag")


def test_sixty_json_files_are_kept(rag_rows: dict[str, dict[str, Any]]) -> None:
    kept = [row for row in rag_rows.values() if row["fate"] == "kept"]
    assert len(kept) == 60
    assert sum(row["size"] for row in kept) == 404_898
    assert {row["language"] for row in kept} == {"json"}
    assert Counter(row["category"] for row in kept) == {
        "i18n_translations": 16,
        "schemas_validation": 32,
        "test_fixtures": 11,
        "test_config": 1,
    }


def test_each_json_file_has_the_fate_and_category_of_the_study(
    corpora: Path, rag_rows: dict[str, dict[str, Any]]
) -> None:
    listed = [entry for entry in manifest(corpora, "files_json_md.csv") if entry["path"].endswith(".json")]
    # The corpus leaves out the four files above the cap; what there is of them is tested below by size.
    present = [entry for entry in listed if (corpora / "corpora" / "kalisio" / entry["path"]).exists()]
    assert len(listed) - len(present) == 4
    for entry in present:
        row = rag_rows.get(entry["path"])
        assert REASONS[entry["filter_fate"]] == (row and (row["fate"], row["reason"])), entry["path"]
        if row and row["fate"] == "kept":
            assert row["category"] == entry["category"], entry["path"]


def test_markdown_has_the_fate_of_the_study(corpora: Path, tmp_path: Path) -> None:
    rows = labelled(corpora, tmp_path, "default")
    markdown = [entry for entry in manifest(corpora, "files_json_md.csv") if entry["path"].endswith(".md")]
    assert len(markdown) == 212
    for entry in markdown:
        kept = entry["filter_fate"] == "kept_default_profile"
        assert (rows[entry["path"]]["fate"] == "kept") == kept, entry["path"]
        assert rows[entry["path"]]["category"] == ("markdown" if kept else None)


def test_names_and_sizes_of_the_full_trees_give_the_fates_of_the_study(corpora: Path) -> None:
    profile = BUILT_IN["js_vue_rag"]
    listed = manifest(corpora, "files_source_sizes.csv") + [
        entry for entry in manifest(corpora, "files_json_md.csv") if entry["path"].endswith(".json")
    ]
    expected = {"pattern": "pattern_match", "too_large": "file_too_large", "kept": None}
    counts: Counter[str] = Counter()
    empty = []
    for entry in listed:
        path = entry["path"].partition("/")[2]
        if is_pruned(path, profile.pruned):
            found: str | None = "pruned_dir"
        else:
            found = reason_before_reading(Entry(path, int(entry["bytes"]), "file", ""), profile)
            found = found or (None if is_whitelisted(path, profile) else NOT_WHITELISTED)
        fate = entry["filter_fate"]
        if found == "empty":  # the study keeps two empty files, which have no chunk
            empty.append(entry["path"])
        else:
            assert found == expected.get(fate, fate), entry["path"]
        counts[fate] += 1
    assert counts["kept"] == 1_107
    assert empty == ["kano/src/boot/plugins.js", "kdk/test/api/map/index.js"]
