"""The sample holds what its README promises: realistic material, and the oddities where it says."""

from __future__ import annotations

import json
import re
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "data" / "sample"
REPOSITORIES = ("atlas-docs", "field-notes", "harbour")
TRANSLATIONS = {"atlas-docs": ("en", "de"), "field-notes": ("en", "fr"), "harbour": ("en", "nl")}
MALFORMED = "harbour/src/schemas/berths.get.json"


def read(path: str | Path) -> Any:
    return json.loads((SAMPLE / path).read_text(encoding="utf-8-sig"))


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            yield from leaves(each, (*path, str(key)))
    else:
        yield path, value


def schemas(repository: str) -> list[Path]:
    paths = sorted((SAMPLE / repository / "src" / "schemas").glob("*.json"))
    return [path for path in paths if path != SAMPLE / MALFORMED]


def labels(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("field"), dict):
            assert value["field"]["component"].startswith("form/K")
            yield value["field"]["label"]
        for each in value.values():
            yield from labels(each)
    elif isinstance(value, list):
        for each in value:
            yield from labels(each)


def test_the_sources_file_names_the_three_repositories_and_the_heritage() -> None:
    document = yaml.safe_load((ROOT / "data" / "sources.yaml").read_text(encoding="utf-8"))
    found = {source["name"]: ROOT / "data" / source["path"] for source in document["sources"]}
    assert found == {name: SAMPLE / name for name in REPOSITORIES} | {"waterkerk": SAMPLE / "heritage"}
    assert all(path.is_dir() for path in found.values())


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_a_repository_has_every_kind_of_file(repository: str) -> None:
    folder = SAMPLE / repository
    kinds = (
        "package.json",
        "src/schemas/*.create.json",
        "src/schemas/*.get*.json",
        "src/schemas/*.update*.json",
        "test/data/*.json",
        "test/config/*.json",
        "docs/.vitepress/public/manifest.json",
        "docs/**/*.md",
        "**/*.vue",
        "src/**/*.js",
    )
    assert [kind for kind in kinds if not list(folder.glob(kind))] == []


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_translations_hold_the_same_keys_in_two_languages(repository: str) -> None:
    one, other = (read(f"{repository}/src/i18n/app_{each}.json") for each in TRANSLATIONS[repository])
    keys = [path for path, _ in leaves(one)]
    assert keys == [path for path, _ in leaves(other)]
    assert 25 <= len(keys) <= 60
    same = [
        path for (path, left), (_, right) in zip(leaves(one), leaves(other), strict=True) if left == right
    ]
    assert len(same) <= 2, "a translation differs from its original"


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_the_labels_of_the_forms_are_translated(repository: str) -> None:
    known = {".".join(path) for path, _ in leaves(read(f"{repository}/src/i18n/app_en.json"))}
    for path in schemas(repository):
        schema = read(path)
        used = list(labels(schema))
        assert schema["$id"].endswith(f"/schemas/{path.name}#")
        assert len(used) >= len(schema["properties"]) >= 3
        assert set(used) <= known, path.name


def test_some_forms_nest_components_in_properties() -> None:
    nested = [
        path.name
        for repository in REPOSITORIES
        for path in schemas(repository)
        if len(list(labels(read(path)))) > len(read(path)["properties"])
    ]
    assert nested == ["reviews.create.json", "observations.create.json", "bookings.create.json"]


def test_the_malformed_schema_does_not_parse() -> None:
    with pytest.raises(json.JSONDecodeError, match="Expecting ',' delimiter"):
        read(MALFORMED)


def test_each_odd_encoding_is_where_the_readme_says() -> None:
    marked = (SAMPLE / "harbour/src/i18n/app_nl.json").read_bytes()
    assert marked.startswith(b"\xef\xbb\xbf{")
    carriage = (SAMPLE / "harbour/src/schemas/vessels.update.json").read_bytes()
    assert carriage.count(b"\r\n") == carriage.count(b"\n") > 20
    wide = (SAMPLE / "field-notes/test/data/legacy-stations.json").read_bytes()
    assert wide[:2] in (b"\xff\xfe", b"\xfe\xff")
    assert json.loads(wide.decode("utf-16"))["stations"][0]["name"] == "Étang de la Forêt"
    western = (SAMPLE / "harbour/test/data/quay-names.json").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        western.decode("utf-8")
    assert json.loads(western.decode("latin-1"))["fishing"] == "Muelle del Pañol"


def test_every_other_file_is_plain_utf8_with_unix_line_ends() -> None:
    odd = {"legacy-stations.json", "quay-names.json", "vessels.update.json", "packing-list.md"}
    for path in sorted(path for name in REPOSITORIES for path in (SAMPLE / name).rglob("*")):
        if path.is_file() and path.name not in odd:
            assert "\r" not in path.read_bytes().decode("utf-8"), path.relative_to(SAMPLE)


def test_one_translation_file_is_an_empty_object() -> None:
    assert read("field-notes/src/i18n/plugin_en.json") == {}


def test_one_key_is_written_twice() -> None:
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        repeated.extend(key for key, count in Counter(key for key, _ in items).items() if count > 1)
        return dict(items)

    text = (SAMPLE / "atlas-docs/src/i18n/app_de.json").read_text(encoding="utf-8")
    json.loads(text, object_pairs_hook=pairs)
    assert repeated == ["outdated"]


def test_the_oversized_file_is_just_above_the_cap_and_made_by_its_script() -> None:
    script = runpy.run_path(str(SAMPLE / "make_oversized.py"))
    data = script["TARGET"].read_bytes()
    assert data == script["oversized"]()
    assert 200_000 < len(data) < 201_000
    assert len(json.loads(data)) > 1000
    assert max(map(len, data.splitlines())) < 10_000


def test_one_file_has_a_line_above_the_limit_and_none_other_has() -> None:
    long = [
        str(path.relative_to(SAMPLE))
        for path in sorted(SAMPLE.rglob("*"))
        if path.is_file() and max(map(len, path.read_bytes().splitlines()), default=0) > 10_000
    ]
    assert long == ["field-notes/src/assets/coastline.json"]


def test_the_readme_names_only_files_that_exist() -> None:
    text = (SAMPLE / "README.md").read_text(encoding="utf-8")
    named = re.findall(rf"`((?:{'|'.join(REPOSITORIES)})/[^`]+)`", text)
    assert len(named) >= 24
    assert [name for name in named if not (SAMPLE / name).is_file()] == []
