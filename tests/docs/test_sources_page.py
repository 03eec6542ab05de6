"""``docs/sources.md`` says what the sources file really takes and answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from chunk_pipeline.corpus.profiles import BUILT_IN, ProfileSpec
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.corpus.sources import SourcesError, SourcesFile, load_sources, parse_sources

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> set[str]:
    """The names in backquotes of the first column of the tables below a heading."""
    section = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    body = next(each for each in section if each.startswith(heading))
    rows = re.findall(r"^\| (`[^|]+) \|", body, flags=re.MULTILINE)
    return set(re.findall(r"`(\w+)`", " ".join(rows)))


@pytest.mark.parametrize("model", [Source, ProfileSpec])
def test_every_key_is_explained(model: type[Source] | type[ProfileSpec]) -> None:
    heading = "A source" if model is Source else "A profile"
    built_in = set(BUILT_IN) if model is ProfileSpec else set()
    assert first_cells(heading) == set(model.model_fields) | built_in


def test_every_key_at_the_top_is_explained() -> None:
    assert first_cells("A source") >= {"name", "kind"}
    top = PAGE.split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)`", top, flags=re.MULTILINE)) == set(SourcesFile.model_fields)


def test_the_profile_on_the_page_is_valid() -> None:
    (written,) = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)
    profile = parse_sources(written, ROOT / "data" / "sources.yaml").profile("web_app")
    assert profile.cap == yaml.safe_load(written)["profiles"]["web_app"]["cap"]
    assert "public" not in profile.pruned
    assert "vendor" in profile.pruned


def test_the_error_on_the_page_is_the_one_given(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```text\n(.*?)\n```", PAGE, flags=re.DOTALL)
    text = (ROOT / "data" / "sources.yaml").read_text(encoding="utf-8")
    path = tmp_path / "sources.yaml"
    path.write_text(text.replace("profile: phone_app", "profile: phone", 1), encoding="utf-8")
    with pytest.raises(SourcesError) as caught:
        load_sources(path)
    assert str(caught.value).replace(str(path), "data/sources.yaml") == shown


def test_the_caps_on_the_page_are_those_of_the_profiles() -> None:
    caps = dict(re.findall(r"^\| `(\w+)` \| ([0-9,]+) \|", PAGE, flags=re.MULTILINE))
    assert {name: int(cap.replace(",", "")) for name, cap in caps.items()} == {
        name: profile.cap for name, profile in BUILT_IN.items()
    }
