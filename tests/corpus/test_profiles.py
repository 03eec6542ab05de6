from __future__ import annotations

import pytest
from pydantic import ValidationError

from chunk_pipeline.corpus.profiles import BUILT_IN, ProfileError, ProfileSpec, resolve


def spec(**settings: object) -> ProfileSpec:
    return ProfileSpec.model_validate(settings)


def test_the_built_in_profiles_are_those_of_the_study() -> None:
    default, rag, ingestion = (BUILT_IN[name] for name in ("default", "js_vue_rag", "ingestion"))
    assert (default.cap, rag.cap, ingestion.cap) == (100_000, 200_000, 200_000)
    assert default.whitelist is None
    assert rag.whitelist == (".cjs", ".js", ".json", ".mjs", ".ts", ".tsx", ".vue")
    assert ingestion.whitelist == (".js", ".json", ".md", ".mjs", ".vue")
    assert len(default.pruned) == 24
    further = {"docs", "scripts", "tools", "examples", "sample", "samples", "tutorials", "public"}
    assert set(rag.pruned) - set(default.pruned) == further | {"storybook-static"}
    assert set(rag.pruned) - set(ingestion.pruned) == {"docs", "tools"}
    assert len(default.excluded_suffixes) == 13 + 4 + 1 + 5 + 6 + 2 + 11 + 14 + 5 + 1 + 6
    assert len(default.excluded_names) == 32


def test_a_user_profile_says_only_what_is_different() -> None:
    mine = resolve(
        {"mine": spec(extends="ingestion", cap=5, not_pruned=["public"], also_pruned=["x"])}, BUILT_IN
    )
    assert mine["mine"].cap == 5
    assert mine["mine"].whitelist == BUILT_IN["ingestion"].whitelist
    assert set(mine["mine"].pruned) == set(BUILT_IN["ingestion"].pruned) - {"public"} | {"x"}


def test_a_whitelist_can_be_lifted() -> None:
    assert resolve({"all": spec(extends="js_vue_rag", whitelist=None)}, BUILT_IN)["all"].whitelist is None
    assert resolve({"same": spec(extends="js_vue_rag")}, BUILT_IN)["same"].whitelist


def test_a_profile_may_extend_one_written_below_it() -> None:
    resolved = resolve({"b": spec(extends="a"), "a": spec(cap=7)}, BUILT_IN)
    assert resolved["b"].cap == 7


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ({"default": spec()}, "is built in; choose another name"),
        ({"a": spec(extends="nowhere")}, "extends 'nowhere', which is not a profile"),
        ({"a": spec(extends="b"), "b": spec(extends="a")}, "extends itself"),
        ({"a": spec(extends=None, cap=1)}, "is not complete"),
    ],
)
def test_what_cannot_be_completed_is_refused(specs: dict[str, ProfileSpec], message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        resolve(specs, BUILT_IN)


@pytest.mark.parametrize(
    "settings",
    [
        {"whitelist": ["json"]},
        {"whitelist": [".JSON"]},
        {"pruned": ["a/b"]},
        {"cap": 0},
        {"cap": "5"},
        {"cup": 5},
    ],
)
def test_settings_are_validated(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        spec(**settings)


def test_the_tag_follows_what_decides_and_nothing_else() -> None:
    base = BUILT_IN["default"]
    tag = base.tag()
    assert tag.startswith("default@")
    assert base.model_copy(update={"cap": 99_999}).tag() != tag
    assert base.tag(["latin-1"]) != tag
    renamed = base.model_copy(update={"name": "other"})
    assert renamed.tag().split("@")[1] == tag.split("@")[1]
    reordered = resolve({"r": spec(pruned=list(reversed(base.pruned)))}, BUILT_IN)["r"]
    assert reordered.tag().split("@")[1] == tag.split("@")[1]
