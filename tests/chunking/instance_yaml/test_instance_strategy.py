"""Instances in YAML: one entity one chunk, a slice of its file that is YAML by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError
from chunk_pipeline.chunking.facts.facts import Identifier, InstanceFacts
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.registry import strategy


def _cut(
    text: str, attributes: tuple[tuple[str, str], ...] = (), limit: int | None = None
) -> tuple[list[Chunk], list[Skip], Proof]:
    """Chunks and skips, measured in words, of which a model reads so many."""
    bound = strategy("yaml_instance").with_budget(Budget(lambda each: len(each.split()), limit, "words"))
    found = list(bound.cut(Document("town", "a.yaml", text, "yaml_instance", attributes=attributes)))
    chunks = [each for each in found if isinstance(each, Chunk)]
    skips = [each for each in found if isinstance(each, Skip)]
    return chunks, skips, prove(text, chunks, skips, "yaml", bound.ceiling, bound.size)


def _facts(text: str, *attributes: tuple[str, str]) -> list[InstanceFacts]:
    return [chunk.facts for chunk in _cut(text, attributes)[0] if isinstance(chunk.facts, InstanceFacts)]


@pytest.mark.parametrize(
    ("text", "bodies", "pointers"),
    [
        ("label: A\n", ["label: A"], ["0:"]),
        (
            "%YAML 1.1\n---\nlabel: A\n---\n# of B\nlabel: B\n...\n",
            ["label: A", "# of B\nlabel: B"],
            ["0:", "1:"],
        ),
        (
            "- label: A\n  x: 1 # x\n# next\n- {label: B}\n",
            ["label: A\n  x: 1 # x", "{label: B}"],
            ["0:/0", "0:/1"],
        ),
        ("at: 2025\ninstances:\n- label: A\nlicence: CC0\n", ["label: A"], ["0:/instances/0"]),
        ("collection of things:\n  - label: A\n  - label: B\n", ["label: A", "label: B"], None),
        ('{"@graph": [{"label": "A"}, {"label": "B"}]}', ['{"label": "A"}', '{"label": "B"}'], None),
        ("entities:\n  a: {label: A}\n  b:\n    label: B\n", ["a: {label: A}", "b:\n    label: B"], None),
        ("items:\n- label: A\nby: me\n", ["label: A"], ["0:/items/0"]),
        ("label: X\nitems:\n- label: A\n", ["label: X\nitems:\n- label: A"], ["0:"]),
        ("- label: A\n- only text\n- [x]\n-\n", ["label: A"], ["0:/0"]),
    ],
)
def test_entities_are_found_wherever_they_stand(
    text: str, bodies: list[str], pointers: list[str] | None
) -> None:
    chunks, skips, proof = _cut(text)
    assert [chunk.body for chunk in chunks] == bodies
    assert pointers is None or [chunk.unit for chunk in chunks] == pointers
    assert proof.holds
    assert proof.parsing == proof.chunks
    assert not proof.fallbacks
    for skip in skips:
        assert text[skip.span.start : skip.span.end].strip()


def test_what_stands_between_entities_is_listed_with_its_reason() -> None:
    text = "made: today\ncustodians:\n- label: A\n- label: B\n# the last\n- label: C\n"
    _, skips, _ = _cut(text)
    assert [(text[each.span.start : each.span.end], each.reason) for each in skips] == [
        ("made: today\ncustodians:\n-", "beside the entities"),
        ("-", "mark of a list or document"),
        ("# the last\n-", "comment between entities"),
    ]


OLD = """- hc_id: https://x.example/hc/nl-zh-dha-a-na
  custodian_type: [A, M]
  preferred_label: Nationaal Archief
  alternative_names: [NA, Rijksarchief]
  custodian_place: {settlement: Den Haag, country: Nederland, postcode: 01234}
  collections: [VOC]
  identifiers:
  - {identifier_scheme: ISIL, identifier_value: NL-HaNA}
  - {identifier_scheme: KvK, identifier_value: 01234567}
  - identifier_value: Q190804
"""
PUBLISHED = """has_label: Nationaal Archief
has_type: [ArchiveOrganizationType, MuseumType]
in_country: NL
has_locality: Den Haag
ghcid: NL-ZH-DHA-A-NA
has_collection: [{has_label: VOC}]
identified_by:
- ISIL: NL-HaNA
- {identifier_scheme: {has_label: KvK}, has_value: 01234567}
- http://www.wikidata.org/entity/Q190804
"""


@pytest.mark.parametrize("text", [OLD, PUBLISHED])
def test_both_families_of_slots_say_the_same(text: str) -> None:
    (facts,) = _facts(text)
    assert "Nationaal Archief" in facts.names
    assert facts.custodian_type == ("A", "M")
    assert (facts.country_code, facts.country_source, facts.settlement) == ("NL", "explicit", "Den Haag")
    assert facts.ghcid == "NL-ZH-DHA-A-NA"
    assert {Identifier(scheme="ISIL", value="NL-HaNA"), Identifier(scheme="Wikidata", value="Q190804")} < set(
        facts.identifiers
    )
    assert Identifier(scheme="KvK", value="01234567") in facts.identifiers
    assert facts.has_collections
    assert facts.has_identifiers
    assert facts.data_tier == "TIER_2_VERIFIED"


def test_headings_of_research_aids_are_slots_too() -> None:
    text = (
        'Title: "Museon"\nRelevant data:\n  Identifiers:\n    - "https://www.wikidata.org/wiki/Q1954331"\n'
        '  Name variations:\n    - "Museum voor het Onderwijs"\n  Year of end: []\n'
    )
    (facts,) = _facts(text)
    assert facts.names == ("Museon", "Museum voor het Onderwijs")
    assert facts.identifiers == (Identifier(scheme="Wikidata", value="Q1954331"),)


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("label: A\ncountry: NO\nghcid: NL-ZH-DHA-A-NA\n", ("NO", "explicit")),
        ("label: A\ncountry: UK\n", ("GB", "explicit")),
        ("label: A\nghcid: NL-ZH-DHA-A-NA\nisil: DE-1a\n", ("NL", "ghcid")),
        ("label: A\nisil: DE-Slz1\n", ("DE", "isil")),
        ("label: A\n", ("BE", "source")),
    ],
)
def test_the_country_comes_from_what_says_it_best(text: str, country: tuple[str, str]) -> None:
    (facts,) = _facts(text, ("country", "BE"))
    assert (facts.country_code, facts.country_source) == country


def test_what_the_file_says_goes_before_what_its_source_says() -> None:
    (facts,) = _facts("label: A\nin_language: nl-NL\ndata_tier: 3\n", ("language", "de"), ("data_tier", "1"))
    assert (facts.language, facts.data_tier) == ("nl", "TIER_3_CROWD_SOURCED")


def test_values_stay_as_they_are_written_and_odd_ones_are_warned_of() -> None:
    text = "label: A\nlabel: B\ncountry: NO\ncode: 01234\nopens: 12:30:00\ntype: shed\ncustodian_type: shed\n"
    (chunk,), _, _ = _cut(text)
    assert chunk.body == text.strip()
    (facts,) = _facts(text)
    assert facts.names == ("A",)
    assert facts.custodian_type == ("U",)
    assert facts.warnings == ("repeated_key: 'label' again in line 2; the first counts", "unknown_type: shed")
    assert _facts("colour: red\n")[0].warnings == ("no_label: no slot of the entity is known to name it",)


def test_an_alias_to_another_entity_is_read_and_its_anchor_repeated() -> None:
    text = "- label: A\n  place: &p {settlement: Delft}\n- label: B\n  place: *p\n"
    chunks, _, proof = _cut(text)
    assert [facts.settlement for facts in _facts(text)] == ["Delft", "Delft"]
    assert chunks[1].body == "label: B\n  place: *p"
    assert yaml.safe_load(chunks[1].passage)["place"] == {"settlement": "Delft"}
    assert proof.holds
    assert not proof.fallbacks


def test_an_alias_whose_anchor_is_long_is_a_fallback_that_says_so() -> None:
    text = f"- label: A\n  place: &p {{settlement: {'x' * 300}}}\n- label: B\n  <<: *p\n- *p\n"
    _, _, proof = _cut(text)
    assert proof.holds
    assert proof.fallbacks == (("an alias whose anchor stands outside of the chunk", 2),)
    assert [facts.settlement for facts in _facts(text)][1:] == ["x" * 300, "x" * 300]


LONG = (
    "label: Zoutkamer\ncollections:\n"
    + "".join(f"- name: reeks {place}\n  size: {place} stuks # geteld\n" for place in range(40))
    + "description: |\n"
    + "".join(f"  Zin {place} van het blok gaat over zout. Nog een.\n\n" for place in range(30))
    + 'note: "'
    + "een lange noot " * 40
    + '"\n'
)


@pytest.mark.parametrize("limit", [20, 40, 200])
def test_a_large_entity_is_cut_at_its_slots_and_every_piece_is_yaml_with_its_label_and_place(
    limit: int,
) -> None:
    chunks, _, proof = _cut(LONG, limit=limit)
    assert len(chunks) > 3
    assert proof.holds
    assert proof.parsing == proof.chunks
    assert not proof.fallbacks
    assert proof.sizes.over_limit == proof.sizes.indivisible == 0
    assert all("Zoutkamer" in chunk.header for chunk in chunks)
    assert {chunk.facts.source_id for chunk in chunks if chunk.facts} == {"yaml_instance:a.yaml#0:"}
    # The values of a piece are those of the source: a piece of a list is a list, of a text the same text.
    loaded = [yaml.safe_load(chunk.passage) for chunk in chunks]
    names = [
        item["name"]
        for each in loaded
        for item in (each if isinstance(each, list) else each.get("collections", ()))
        if "name" in item
    ]
    assert names == [f"reeks {place}" for place in range(40)]


@pytest.mark.parametrize(
    ("quote", "escape", "value"),
    [('"', "\\U0001F600", "\U0001f600"), ('"', "\\xe9", "é"), ('"', '\\"', '"'), ("'", "''", "'")],
)
@pytest.mark.parametrize("limit", [50, 51, 52, 53, 200])
def test_a_value_too_long_for_a_chunk_is_never_cut_inside_an_escape(
    quote: str, escape: str, value: str, limit: int
) -> None:
    text = f"label: A\nnote: {quote}{escape * 100}{quote}\n"
    bound = strategy("yaml_instance").with_budget(Budget(len, limit, "characters"))
    cut = bound.cut(Document("t", "a", text, "yaml_instance"))
    chunks = [each for each in cut if isinstance(each, Chunk)]
    said = [yaml.safe_load(chunk.passage).get("note") or "" for chunk in chunks]
    assert "".join(said) == value * 100
    assert len(chunks) > 2
    assert all(len(chunk.text) <= limit and not chunk.metadata.fallback for chunk in chunks)


def test_a_value_in_braces_too_long_for_a_chunk_is_cut_as_text_and_says_so() -> None:
    text = "label: A\nplaces: {" + ", ".join(f"k{place}: waarde {place}" for place in range(60)) + "}\n"
    chunks, _, proof = _cut(text, limit=30)
    assert proof.holds
    assert proof.sizes.over_limit == 0
    assert [reason for reason, _ in proof.fallbacks] == ["a value too long for one chunk, cut as text"]
    assert chunks[-1].header.endswith("A /places")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a.yaml is empty"),
        ("# only\n# comments\n", "a.yaml holds no mapping that is an entity"),
        ("just text\n", "a.yaml holds no mapping"),
        ("- a\n- b\n", "a.yaml holds no mapping"),
        ("a: !!python/object:x.y {}\n", "a.yaml: line 1: the tag"),
        ("id: x\nname: s\nimports: [linkml:types]\nclasses:\n  A: {}\n", "a.yaml is a LinkML schema"),
        ("\x89PNG\x0d\x0a\x00", "a.yaml: line 1: a character that YAML does not allow"),
    ],
    ids=lambda value: value[:12],
)
def test_what_holds_no_instance_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(UnparsableError, match=reason):
        _cut(text)


VALUES = st.recursive(
    st.text(alphabet="ab 'é:#-\n", max_size=30) | st.just("NO") | st.integers(0, 99),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
    max_leaves=12,
)
ENTITIES = st.dictionaries(st.sampled_from(["label", "place", "note", "collections"]), VALUES, min_size=1)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(ENTITIES, min_size=1, max_size=4),
    st.sampled_from(["list", "documents", "container"]),
    st.sampled_from([True, False, None]),
    st.sampled_from([None, 8, 20]),
)
def test_whatever_the_entities_hold_nothing_is_lost(
    held: list[dict[str, object]], shape: str, flow: bool | None, limit: int | None
) -> None:
    if shape == "documents":
        text = yaml.safe_dump_all(held, default_flow_style=flow, allow_unicode=True, width=40)
    else:
        root = held if shape == "list" else {"instances": held}
        text = yaml.safe_dump(root, default_flow_style=flow, allow_unicode=True, width=40)
    chunks, _, proof = _cut(text, limit=limit)
    assert proof.holds, proof
    assert proof.parsing == proof.chunks
    assert proof.sizes.over_limit == 0
    if limit is None and shape != "documents":
        assert len({chunk.unit for chunk in chunks}) == len(held)
        assert not proof.fallbacks


@pytest.mark.parametrize("limit", [None, 256, 40])
def test_real_research_aids_and_instances_are_whole(corpora: Path, limit: int | None) -> None:
    folder = corpora / "corpora/heritage"
    paths = sorted([*folder.glob("research_aids/*.yml"), *folder.glob("synthetic/instance*s_list.yaml")])
    assert len(paths) == 11
    for path in paths:
        chunks, _, proof = _cut(path.read_bytes().decode(), limit=limit)
        assert proof.holds, path
        assert proof.parsing == proof.chunks
        assert proof.sizes.over_limit == 0
        assert all(chunk.facts and chunk.facts.names for chunk in chunks)
        assert sum(count for _, count in proof.fallbacks) <= proof.chunks / 10
