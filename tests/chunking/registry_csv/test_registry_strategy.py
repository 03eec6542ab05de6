"""Registries in CSV: one row one chunk, nothing lost, and what is odd is said."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.budget import Budget
from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, UnparsableError
from chunk_pipeline.chunking.facts.facts import Identifier, RegistryFacts
from chunk_pipeline.chunking.integrity import Proof, prove
from chunk_pipeline.chunking.registry import Strategy, strategy
from chunk_pipeline.chunking.registry_csv.account import account
from chunk_pipeline.chunking.registry_csv.layout import find_table
from chunk_pipeline.chunking.registry_csv.mappings import built_in, mappings, own_columns

HEADER = "Volgnr.;Plaats;Instelling;ISIL code;Toegekend op;Opmerking\n"


def _words(limit: int | None) -> Strategy:
    """The strategy with a budget in words, of which a model reads so many."""
    return strategy("csv_registry").with_budget(Budget(lambda text: len(text.split()), limit, "words"))


def _cut(
    text: str, attributes: tuple[tuple[str, str], ...] = (), limit: int | None = None
) -> tuple[list[Chunk], list[Skip], Proof]:
    bound = _words(limit)
    found = list(bound.cut(Document("town", "isil.csv", text, "csv_registry", attributes=attributes)))
    chunks = [each for each in found if isinstance(each, Chunk)]
    skips = [each for each in found if isinstance(each, Skip)]
    return chunks, skips, prove(text, chunks, skips, "csv", bound.ceiling, bound.size)


def _facts(chunks: list[Chunk]) -> list[RegistryFacts]:
    return [chunk.facts for chunk in chunks if isinstance(chunk.facts, RegistryFacts)]


def test_a_row_is_a_chunk_of_slots_and_values() -> None:
    text = HEADER + '7;Den Haag;"Archief; oud";NL-HaNA;2010;"zie ""X"""\n'
    chunks, skips, proof = _cut(text)
    assert [chunk.text for chunk in chunks] == [
        "ISIL registry, town/isil.csv\n"
        "Volgnr.: 7\nsettlement: Den Haag\npreferred_label: Archief; oud\nisil_code: NL-HaNA\n"
        'registration_date: 2010\nprovenance_note: zie "X"'
    ]
    assert [skip.reason for skip in skips] == ["header row"]
    assert proof.holds
    (facts,) = _facts(chunks)
    assert facts.source_id == "csv_registry:isil.csv#1"
    assert facts.identifiers == (Identifier(scheme="ISIL", value="NL-HaNA"),)
    assert (facts.country_code, facts.country_source, facts.settlement) == ("NL", "isil", "Den Haag")
    assert (facts.data_tier, facts.has_identifiers) == ("TIER_1_AUTHORITATIVE", True)


def test_na_none_and_leading_zeros_are_text() -> None:
    text = "naam_organisatie;postadres_plaats;KvK-nummer\nNone;NA;01234567\n"
    (facts,) = _facts(_cut(text)[0])
    assert facts.slots == (
        ("preferred_label", "None"),
        ("settlement", "NA"),
        ("registration_number", "01234567"),
    )
    assert facts.identifiers == (Identifier(scheme="KvK", value="01234567"),)


def test_rows_that_are_no_records_are_skipped_with_a_reason_and_counted() -> None:
    text = f"ISIL-codes, stand 2025;;;;;\n{HEADER}1;A;B;;;\n2;;;;;\n;;;;;\n\n\n{HEADER}3;C;D;;;\n\n"
    chunks, skips, proof = _cut(text)
    assert [facts.row for facts in _facts(chunks)] == [1, 7]
    counted = account(text, chunks, skips)
    assert (counted.records, counted.chunked, counted.lost) == (10, 2, 0)
    assert dict(counted.skipped) == {
        "above the header row": 1,
        "header row": 1,
        "empty row but for its number": 1,
        "empty row": 4,
        "header row, repeated": 1,
    }
    assert proof.holds
    assert account(text, chunks[:1], skips[1:]).lost == 2


def test_two_columns_for_one_slot_the_first_wins_and_the_other_stays_in_the_text() -> None:
    text = "Instelling|naam_organisatie|Plaats\nZout|OZS|Delft\n|Peper|Delft\nGelijk|Gelijk|Delft\n"
    chunks, _, proof = _cut(text)
    conflict, second, same = _facts(chunks)
    assert conflict.names == ("Zout",)
    assert conflict.warnings == ("slot_conflict: preferred_label is 'Zout', naam_organisatie says 'OZS'",)
    assert "naam_organisatie: OZS" in chunks[0].body
    assert (second.names, second.warnings, same.warnings) == (("Peper",), (), ())
    assert proof.holds


def test_ragged_rows_are_read_and_warned_of() -> None:
    chunks, _, proof = _cut('Instelling;Plaats\nA\nB;c;extra\nD;e;;;\n"F"g;h\n')
    assert [facts.warnings for facts in _facts(chunks)] == [
        ("ragged_row: 1 cells, the header has 2",),
        ("ragged_row: 3 cells, the header has 2",),
        (),
        ("stray_quote: text follows the closing quote of a cell",),
    ]
    assert chunks[1].body == "preferred_label: B\nsettlement: c\ncolumn: extra"
    assert proof.holds


def test_a_row_too_long_is_cut_at_cells_then_inside_them_and_keeps_its_source_id() -> None:
    note = '"' + " ".join(f'woord{i} ""citaat{i}"".' for i in range(60)) + '"'
    text = f"{HEADER}1;Den Haag;Archief;NL-HaNA;2010;{note}\n"
    chunks, _, proof = _cut(text, limit=30)
    assert len(chunks) > 4
    assert proof.holds
    assert proof.sizes.over_limit == proof.sizes.indivisible == 0
    assert {facts.source_id for facts in _facts(chunks)} == {"csv_registry:isil.csv#1"}
    assert all("Archief" in chunk.header for chunk in chunks)
    assert [facts.has_identifiers for facts in _facts(chunks)][:2] == [True, False]


def test_a_source_maps_columns_of_its_own() -> None:
    text = "Naam museum;Woonplaats;Land\nZoutkamer;Delft;België\n"
    extra = (("registry_columns", "Naam museum=preferred_label; woonplaats = settlement;Land=country"),)
    chunks, _, proof = _cut(text, extra)
    (facts,) = _facts(chunks)
    assert (facts.registry, facts.names, facts.settlement) == ("source", ("Zoutkamer",), "Delft")
    assert (facts.country_code, facts.country_source) == ("BE", "explicit")
    assert proof.holds
    beside = _cut("Instelling;Woonplaats\nA;b\n", extra)[0]
    assert [(facts.registry, facts.settlement) for facts in _facts(beside)] == [("isil", "b")]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ("Naam", "'Naam' is not of the form 'Column=slot'"),
        ("Naam=", "is not of the form"),
        ("Naam=label", "there is no slot 'label'; there are: aggregator_membership"),
        ("Naam=region; naam=settlement", "the column 'naam' stands twice"),
        ("--=region", "a column's name needs a letter"),
    ],
)
def test_columns_of_a_source_are_checked(columns: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        own_columns((("registry_columns", columns),))
    with pytest.raises(UnparsableError, match=reason):
        _cut("Instelling\nA\n", (("registry_columns", columns),))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        ("Instelling;Plaats\na\0;b\n", "NUL characters"),
        ("kleur;maat\nrood;3\n", "no known column among 'kleur', 'maat'; .* registry_columns: 'Name of"),
        ("title,description\nA,b\n", "no known column among 'title', 'description'"),
        ('Instelling;Plaats\nA;b\nC;"d\nE;f\n', "line 3: a quote is opened and never closed"),
    ],
    ids=lambda value: value[:12],
)
def test_what_is_no_registry_is_refused_with_what_to_do(text: str, reason: str) -> None:
    with pytest.raises(UnparsableError, match=reason):
        _cut(text)


def test_a_first_row_that_explains_the_columns_is_no_record_and_a_plain_one_is() -> None:
    header = "title,description,institution_type,website,email\n"
    explained = 'The name,A brief description,"Museum, Library etc",Website e.g. http://x,OPTIONAL email\n'
    plain = "Website museum,All about the web,Museum,http://museum.example,info@museum.example\n"
    _, skips, _ = _cut(header + explained + plain)
    assert [skip.reason for skip in skips] == ["header row", "documentation row"]
    chunks, _, _ = _cut(header + plain + explained)
    assert len(chunks) == 2


def test_columns_of_another_registry_do_not_change_the_built_in_ones() -> None:
    find_table("Instelling;KvK-nummer\nA;1\n")
    mappings({"Kleur": "description"})
    assert built_in()["isil"].slot("KvK nummer") is None
    assert built_in()["isil"].slot("kleur") is None
    assert mappings({"Kleur": "description"})["isil"].slot("kleur") == "description"


CELLS = st.lists(st.text(alphabet='ab1 ",;\n\té', max_size=12), min_size=3, max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.lists(CELLS, max_size=6), st.sampled_from(",;\t|"), st.sampled_from([None, 12, 25]))
def test_whatever_the_cells_hold_nothing_is_lost(
    table: list[list[str]], separator: str, limit: int | None
) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=separator).writerows([["Instelling", "Plaats", "Kleur"], *table])
    text = written.getvalue()
    chunks, skips, proof = _cut(text, limit=limit)
    assert proof.holds, proof
    assert proof.sizes.over_limit == 0
    assert account(text, chunks, skips).lost == 0
    assert len({facts.row for facts in _facts(chunks)}) == account(text, chunks, skips).chunked


def _decoded(path: Path) -> str:
    raw = path.read_bytes()
    for encoding in ("utf-16",) if raw[:2] == b"\xff\xfe" else ("utf-8-sig", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError(path)


@pytest.mark.parametrize("limit", [None, 256, 40])
def test_the_seven_forms_of_one_registry_give_the_same_records(corpora: Path, limit: int | None) -> None:
    paths = sorted((corpora / "corpora/heritage/synthetic").glob("isil_*.csv"))
    found = []
    for path in paths:
        chunks, _, proof = _cut(_decoded(path), limit=limit)
        assert proof.holds
        assert proof.sizes.over_limit == 0
        slots = dict.fromkeys((facts.row, facts.slots) for facts in _facts(chunks))
        found.append([(row, [(slot, " ".join(text.split())) for slot, text in each]) for row, each in slots])
    assert len(found) == 6
    assert all(each == found[0] for each in found)
    assert [row for row, _ in found[0]] == [1, 2, 3, 4, 6]


def test_a_real_registry_is_cut_by_the_row(corpora: Path) -> None:
    text = _decoded(corpora / "corpora/heritage/registry_uk_culture_grid/culture_data_sample.csv")
    chunks, skips, proof = _cut(text)
    assert (len(chunks), [skip.reason for skip in skips]) == (170, ["header row", "documentation row"])
    assert proof.holds
    rows = list(csv.reader(io.StringIO(text, newline="")))[2:]
    assert [facts.names for facts in _facts(chunks)] == [(row[0].strip(),) if row[0] else () for row in rows]


@pytest.mark.parametrize("long", ["words " * 40, "w" * 250])
def test_a_column_whose_name_is_very_long_is_called_by_its_beginning(long: str) -> None:
    chunks, _, proof = _cut(f"{long}{HEADER}1;Den Haag;Archief A;NL-AbcDE;2010;\n")
    assert proof.holds, proof
    name = chunks[0].body.partition(":")[0]
    assert 150 < len(name) <= 200
    assert long.startswith(name)
    assert set(name.split()) <= {"words", "w" * 200}
