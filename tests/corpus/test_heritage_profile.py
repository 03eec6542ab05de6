from __future__ import annotations

import pytest
from test_filtering import fates, filtered

from chunk_pipeline.corpus.categories import HERITAGE, category
from chunk_pipeline.corpus.profiles import BUILT_IN, ProfileError, ProfileSpec, resolve

PROFILE = BUILT_IN["heritage"]


def test_a_file_that_cannot_be_read_is_quarantined_and_never_dropped_without_a_word() -> None:
    outcome = filtered(
        {
            "blank.csv": b" \n",
            "empty.yaml": b"",
            "huge.html": b"<p>" + b"x" * PROFILE.cap,
            "notes.txt": b"",
            "nul.md": b"a\0b",
            "registry.csv": "Plaats;Instelling\nCaf\u00e9;\u20ac\n".encode("cp1252"),
        },
        PROFILE,
    )
    found = fates(outcome)
    assert found["registry.csv"] == ("kept", None)
    assert found["notes.txt"] == ("dropped", "empty")
    assert {path for path, (fate, _) in found.items() if fate == "quarantined"} == {
        "blank.csv",
        "empty.yaml",
        "huge.html",
        "nul.md",
    }
    assert found["huge.html"][1] is not None
    assert "20,000,000 bytes; raise 'cap'" in found["huge.html"][1]
    assert outcome.quarantine.num_rows == 4


def test_bytes_that_are_not_utf8_are_read_as_windows_1252() -> None:
    outcome = filtered({"r.csv": "Caf\u00e9 \u20ac".encode("cp1252")}, PROFILE)
    assert outcome.files["encoding"].to_pylist() == ["cp1252"]
    assert outcome.contents["text"].to_pylist() == ["Caf\u00e9 \u20ac"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("i18n/a.json", "conversation"),
        ("a.HTM", "website"),
        ("a.tsv", "csv_registry"),
        ("a.yml", "yaml_instance"),
        ("a.md", "document"),
        ("a.docx", "document"),
        ("a.pdf", "document"),
        ("a.js", "javascript"),
    ],
)
def test_the_labels_of_the_profile_go_before_the_rules(path: str, expected: str) -> None:
    assert category("app", path, PROFILE.labels) == expected


def test_only_labels_give_the_heritage_categories() -> None:
    assert set(PROFILE.labels.values()) == set(HERITAGE)
    for ending in PROFILE.labels:
        assert category("app", f"a{ending}") not in HERITAGE


def test_a_label_must_be_a_category_and_its_suffix_one() -> None:
    for labels in ({".html": "page"}, {"html": "website"}):
        with pytest.raises(ValueError, match=r"category|suffix"):
            ProfileSpec.model_validate({"labels": labels})


def test_labels_are_inherited_and_replaced() -> None:
    mine = {"mine": ProfileSpec.model_validate({"extends": "heritage", "labels": {".html": "document"}})}
    assert resolve(mine, BUILT_IN)["mine"].labels == {".html": "document"}
    assert resolve({"same": ProfileSpec(extends="heritage")}, BUILT_IN)["same"].labels == PROFILE.labels


def test_a_document_profile_depends_on_the_converter(monkeypatch: pytest.MonkeyPatch) -> None:
    before = PROFILE.tag(), BUILT_IN["default"].tag()
    monkeypatch.setattr("chunk_pipeline.corpus.profiles.converter", lambda: "another")
    after = PROFILE.tag(), BUILT_IN["default"].tag()
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_a_suffix_may_be_let_in_again() -> None:
    assert ".pdf" in BUILT_IN["default"].excluded_suffixes
    assert ".pdf" not in PROFILE.excluded_suffixes
    with pytest.raises(ProfileError, match="extends"):
        resolve({"a": ProfileSpec(extends="nowhere", not_excluded_suffixes=(".pdf",))}, BUILT_IN)


def broken(data: bytes, suffix: str) -> None:
    """A converter that breaks, whatever it is given."""
    raise RuntimeError(f"no {suffix} today\ud800")


def test_a_converter_that_breaks_on_a_file_stops_only_that_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunk_pipeline.conversion.extraction.extract", broken)
    outcome = filtered({"a.docx": b"PK", "b.csv": b"Plaats\nGoirle\n"}, PROFILE)
    assert fates(outcome) == {
        "a.docx": ("quarantined", "not read: RuntimeError: no .docx today\\ud800"),
        "b.csv": ("kept", None),
    }
