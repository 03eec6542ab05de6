from __future__ import annotations

import pyarrow as pa
import pytest

from chunk_pipeline.corpus.categories import CATEGORIES, INDEXED_BY_DEFAULT, category, language
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.warehouse.tables import FILES, FILTERED_FILES


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/schemas/package.json", "package_tooling"),
        ("src/schemas/users.create.json", "schemas_validation"),
        ("src/Schemas/Users.UPDATE.json", "schemas_validation"),
        ("src/schemas/users.update-profile.json", "schemas_validation"),
        ("src/schemas/i18n/users.get.json", "schemas_validation"),
        ("src/schemas/users.json", "other"),
        ("src/schemas/users.update-2.json", "other"),
        ("src/schemas.create.json", "other"),
        ("i18n/en.json", "i18n_translations"),
        ("src/i18n_en.json", "other"),
        ("docs/.vitepress/public/manifest.json", "docs_meta"),
        ("docs/.vitepress/public/data.json", "docs_data"),
        ("test/api/config/layers.json", "test_config"),
        ("config/x/test/layers.json", "test_config"),
        ("test/data/zones.json", "test_fixtures"),
        ("tests/data/zones.json", "other"),
        ("src/test.json", "other"),
        ("docs/i18n/readme.md", "markdown"),
        ("a.markdown", "markdown"),
        ("test/config/notes.txt", "text"),
        ("README.RST", "text"),
        ("a.adoc", "text"),
        ("a.text", "text"),
        ("LICENSE", "other"),
        ("a.tsx", "javascript"),
        ("a.mjs", "javascript"),
        ("test/App.VUE", "vue"),
        ("a.yaml", "other"),
    ],
)
def test_the_first_rule_that_applies_gives_the_category(path: str, expected: str) -> None:
    assert category("app", path) == expected
    assert expected in CATEGORIES


def test_the_name_of_the_repository_counts_as_part_of_the_path() -> None:
    assert category("i18n", "en.json") == "other"
    assert category("app/i18n", "en.json") == "i18n_translations"
    assert category("test", "a.json") == "test_fixtures"


def test_the_indexed_categories_exist() -> None:
    assert set(INDEXED_BY_DEFAULT) < set(CATEGORIES)
    assert len(set(CATEGORIES)) == len(CATEGORIES) == 17


def test_the_language_comes_from_the_suffix() -> None:
    assert [language(path) for path in ("a.JSON", "b.md", "c.cjs", "d.ts", "e.vue", "f.xyz", "g")] == [
        "json",
        "markdown",
        "javascript",
        "typescript",
        "vue",
        "xyz",
        "text",
    ]


def test_only_kept_files_are_labelled_and_all_rows_stay() -> None:
    common = {"repository": "app", "size": 1, "object_id": "x", "profile": "p", "snapshot": "s"}
    rows = [
        {"path": "a.json", "fate": "kept"},
        {"path": "b.json", "fate": "dropped", "reason": "empty"},
        {"path": "c.json", "fate": "quarantined", "reason": "undecodable"},
    ]
    files = pa.Table.from_pylist([common | row for row in rows], schema=FILTERED_FILES.schema)
    of = Source.model_validate(
        {"name": "app", "kind": "folder", "path": "/x", "metadata": {"z": "1", "audience": "all"}}
    )
    labelled = label_files(files, of)
    assert labelled.schema.equals(FILES.schema, check_metadata=True)
    assert labelled["category"].to_pylist() == ["other", None, None]
    assert labelled["language"].to_pylist() == ["json", None, None]
    assert labelled["attributes"].to_pylist() == [[("audience", "all"), ("z", "1")], None, None]
    assert labelled.select(FILTERED_FILES.schema.names).equals(files)


def test_no_files_give_an_empty_table() -> None:
    of = Source.model_validate({"name": "app", "kind": "folder", "path": "/x"})
    assert label_files(FILTERED_FILES.empty(), of).equals(FILES.empty())
