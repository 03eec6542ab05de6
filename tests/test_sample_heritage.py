"""The heritage sample holds what its README promises, byte by byte and without the strategies that cut it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "heritage"
MARK = b"\xef\xbb\xbf"
PLACEHOLDER = "This block is not supported on your current device yet."


def data(path: str) -> bytes:
    return (SAMPLE / path).read_bytes()


def text(path: str, encoding: str = "utf-8") -> str:
    return data(path).decode(encoding)


def rows(path: str, separator: str, encoding: str = "utf-8") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text(path, encoding), newline=""), delimiter=separator))


def conversations() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text("conversations/conversations.json"))
    return found


def messages() -> Iterator[dict[str, Any]]:
    for conversation in conversations():
        yield from (message for message in conversation["chat_messages"] if message)


def entities(path: str) -> list[dict[str, Any]]:
    """Every entity of a file, with all scalars as they are written."""
    documents = [each for each in yaml.load_all(text(path), Loader=yaml.BaseLoader) if each]
    if path.endswith("portal.yaml"):
        return list(documents[0]["custodians"])
    return list(documents[0]) if isinstance(documents[0], list) else documents


def identifiers(entity: dict[str, Any]) -> set[str]:
    held = entity.get("identifiers") or entity["identified_by"]
    return {each if isinstance(each, str) else each["identifier_value"] for each in held}


def test_the_readme_names_every_file_and_no_other() -> None:
    named = set(re.findall(r"^\| `([^`|]+/[^`|]+)` \|", text("README.md"), flags=re.MULTILINE))
    there = {
        path.relative_to(SAMPLE).as_posix()
        for path in SAMPLE.rglob("*")
        if path.is_file() and path != SAMPLE / "README.md"
    }
    assert there - {"website/zoutkamer/nl/index.html"} == named - {"website/zoutkamer/nl/index.html"}
    assert len(there) >= 33


def test_the_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 250_000


def test_only_the_files_that_the_readme_says_are_not_plain_utf8() -> None:
    odd: dict[str, str] = {}
    for path in sorted(SAMPLE.rglob("*")):
        if path.is_file() and path.suffix not in {".docx", ".pdf"}:
            raw, name = path.read_bytes(), path.relative_to(SAMPLE).as_posix()
            try:
                kind = "mark" if raw.startswith(MARK) else "crlf" if "\r" in raw.decode("utf-8") else ""
            except UnicodeDecodeError:
                kind = "cp1252"
            odd |= {name: kind} if kind else {}
    assert odd == {
        "instances/zolder.yml": "crlf",
        "registries/isil-codes_waterkerk.csv": "mark",
        "registries/organisaties_waterkerk.csv": "cp1252",
        "website/zoutkamer/fr/index.html": "cp1252",
    }


def test_the_register_of_codes_has_a_title_and_a_header_over_several_lines() -> None:
    title, header, *records = rows("registries/isil-codes_waterkerk.csv", ";", "utf-8-sig")
    assert title == ["ISIL-codes Waterkerk en omgeving, stand 2025-08-01", "", "", "", "", ""]
    assert header == ["Volg-\nnr.", "Plaats", "Instelling", "ISIL\ncode", "Toegekend\nop", "Opmerking "]
    assert {len(record) for record in records} == {6}
    assert len(records) == 26
    assert records[-1] == [""] * 6
    assert ["22", "", "", "", "", ""] in records
    assert ["23", "NA", "None", "NL-WtkNUL", "", "null"] in records
    assert any("\n" in cell for record in records for cell in record)
    assert records.count(records[0]) == 2
    codes = Counter(record[3] for record in records if record[3])
    assert len(codes) == 22
    assert {code for code, count in codes.items() if count == 2} == {"NL-WtkSAW", "NL-WtkMDZ"}


def test_the_register_of_organisations_shares_codes_with_it_and_keeps_zeros() -> None:
    raw = data("registries/organisaties_waterkerk.csv")
    assert raw.count(b"\r\n") == raw.count(b"\n") == 21
    assert {b"\x80", b"\x96", b"\x9c"} <= {raw[at : at + 1] for at in range(len(raw))}, "as only cp1252 has"
    header, *records = rows("registries/organisaties_waterkerk.csv", ";", "cp1252")
    known = ["naam_organisatie", "postadres_plaats", "ISIL-code", "KvK-nummer", "Collectie Nederland"]
    assert [name for name in known if name not in header] == []
    assert len(header) == 10
    numbers = [record[header.index("KvK-nummer")] for record in records]
    assert sum(number.startswith("00") for number in numbers) >= 10
    register = {record[3] for record in rows("registries/isil-codes_waterkerk.csv", ";", "utf-8-sig")[2:]}
    codes = {record[header.index("ISIL-code")] for record in records} - {""}
    assert len(codes) >= 16
    assert codes <= register


def test_the_small_registers_are_separated_by_bars_and_tabs() -> None:
    note, header, *records = rows("registries/aanvulling.csv", "|")
    assert len(note) == 1
    one, other = header.index("ISIL code"), header.index("ISIL-code")
    assert [record[one] == record[other] for record in records] == [False, True, False, False]
    assert records[0][other] != ""
    header, *records = rows("registries/zusters.tsv", "\t")
    assert header[-1] == "Land"
    assert {record[2][:2] for record in records} == {"BE", "DE", "FR", "GB", "NO"}


def test_enough_rows_have_an_identifier_to_ask_for() -> None:
    held = re.findall(
        r"[A-Z]{2}-[A-Z][a-z]{2}[A-Z]{3}\b",
        text("registries/isil-codes_waterkerk.csv")
        + text("registries/organisaties_waterkerk.csv", "cp1252")
        + text("registries/zusters.tsv"),
    )
    assert len(held) >= 45
    assert len(set(held)) >= 28


def test_plain_yaml_loading_would_change_what_is_written() -> None:
    changed = yaml.safe_load(text("instances/custodians.yaml"))
    written = entities("instances/custodians.yaml")
    by_name = {each["preferred_label"]: each for each in changed}
    museum, mill = by_name["Museum De Zoutkamer"], by_name["Molen De Drie Gezusters"]
    assert museum["custodian_place"]["postcode"] == 668
    assert museum["opening_time"] == 45000
    assert by_name["Sjøsaltmuseet"]["custodian_place"]["country"] is False
    assert mill["open_to_public"] is True
    assert not isinstance(mill["founded"], str)
    assert [each["custodian_place"]["country"] for each in written][-1] == "NO"
    assert written[1]["custodian_place"]["postcode"] == "01234"


def test_an_alias_leads_to_another_entity() -> None:
    entries = re.split(r"^- ", text("instances/custodians.yaml"), flags=re.MULTILINE)
    assert [
        ("&scholen" in each, "*scholen" in each) for each in entries if "scholen" in each and "_to" in each
    ] == [
        (True, False),
        (False, True),
    ]


def test_every_type_letter_but_unknown_has_a_custodian() -> None:
    kinds = [each["custodian_type"] for each in entities("instances/custodians.yaml")]
    letters = {letter for kind in kinds for letter in kind}
    assert letters == set("GLAMORCBESFIXPHDNT")
    assert ["X", "M", "T"] in kinds
    assert entities("instances/zolder.yml")[0]["custodian_type"] == "zolderkamer"


def test_the_sisters_are_documents_of_a_stream() -> None:
    stream = text("instances/sisters.yaml")
    assert stream.startswith("%YAML 1.1\n---\n")
    assert stream.endswith("\n...\n")
    found = entities("instances/sisters.yaml")
    assert len(found) == stream.count("\n---\n") == 29
    assert {"UK", "NO", "Niederlande", "Pays-Bas"} <= {each["in_country"] for each in found}
    assert [each["has_label"] for each in found if "ghcid" not in each] != []


def test_custodians_are_described_in_dutch_and_in_other_languages() -> None:
    dutch = [identifiers(each) for each in entities("instances/custodians.yaml")]
    others = [*entities("instances/sisters.yaml"), *entities("instances/portal.yaml")]
    pairs = Counter(
        each["in_language"] for each in others if any(identifiers(each) & known for known in dutch)
    )
    assert pairs.total() == len(others)
    assert pairs["en"] >= 12
    assert min(pairs["de"], pairs["fr"]) >= 9
    assert min(len(each["has_description"]) for each in others) > 80


def test_the_export_has_every_quirk_of_its_kind() -> None:
    found = conversations()
    assert len({conversation["uuid"] for conversation in found}) == len(found) == 10
    assert None in found[0]["chat_messages"]
    assert [] in [conversation["chat_messages"] for conversation in found]
    blocks = Counter(block["type"] for message in messages() for block in message.get("content") or ())
    assert min(blocks[kind] for kind in ("text", "thinking", "tool_use", "tool_result")) >= 2
    assert sum(PLACEHOLDER in message["text"] for message in messages()) == 2
    assert sum("content" not in message for message in messages()) == 2
    assert sum("parent_message_uuid" not in message for message in messages()) == 4
    attached = [message for message in messages() if message["attachments"]]
    assert [message["text"] for message in attached] == [""]
    assert "Facsimile van het keurboek" in attached[0]["attachments"][0]["extracted_content"]


def test_one_conversation_has_a_branch_that_it_no_longer_leads_through() -> None:
    for conversation in conversations():
        if "current_leaf_message_uuid" not in conversation:
            continue
        parents = {
            each["uuid"]: each["parent_message_uuid"] for each in conversation["chat_messages"] if each
        }
        at, line = conversation["current_leaf_message_uuid"], set()
        while at in parents:
            line.add(at)
            at = parents[at]
        assert len(parents) - len(line) == (2 if conversation["name"].startswith("Zaaltekst") else 0)


def test_the_long_conversations_ask_enough_and_answer_at_length() -> None:
    asked = Counter[str]()
    for conversation in conversations():
        turns = [message for message in conversation["chat_messages"] if message]
        lengths = [len(message["text"]) for message in turns]
        if len(turns) >= 12 and min(lengths) > 100:
            assert [message["sender"] for message in turns] == ["human", "assistant"] * (len(turns) // 2)
            asked[conversation["name"]] = len(turns) // 2
    assert sorted(asked.values()) == [6, 6, 9, 12]


def test_one_answer_is_longer_than_any_chunk() -> None:
    longest = max((message["text"] for message in messages()), key=len)
    assert len(longest.split()) > 850
    assert longest.count("\n\n") > 10


def test_single_and_boxed_conversations_are_what_the_readme_says() -> None:
    raw = data("conversations/scankosten.json")
    assert raw.isascii()
    assert b"\n" not in raw
    assert b"\\u20ac" in raw
    assert "chat_messages" in json.loads(raw)
    boxed = json.loads(text("conversations/boxed.json"))
    assert [None in each["chat_messages"] for each in boxed["conversations"]] == [False, True]


def test_two_pages_are_the_same_bytes() -> None:
    pages = [path.read_bytes() for path in sorted((SAMPLE / "website").rglob("*.*htm*"))]
    assert len(pages) == 9
    assert sorted(Counter(pages).values()) == [1] * 7 + [2]
    assert data("website/zoutkamer/index.html") == data("website/zoutkamer/nl/index.html")


def test_one_page_says_that_it_is_in_another_encoding_than_it_is() -> None:
    wrong, right = data("website/stadsarchief/index.html"), data("website/zoutkamer/fr/index.html")
    assert b"charset=iso-8859-1" in wrong
    assert "Noëlle d'Hérbigny" in wrong.decode("utf-8")
    assert b"charset=windows-1252" in right
    assert "chef-d’œuvre" in right.decode("cp1252")


@pytest.mark.parametrize(
    ("page", "language"),
    [("nl/index.html", "nl"), ("en/index.html", "en"), ("de/index.xhtml", "de"), ("fr/index.html", "fr")],
)
def test_the_museum_has_a_page_in_four_languages_with_its_code(page: str, language: str) -> None:
    source = text(f"website/zoutkamer/{page}", "cp1252" if language == "fr" else "utf-8")
    assert f'lang="{language}"' in source
    assert "NL-WtkMDZ" in source
    assert "colspan" in source


def test_the_bakery_closes_its_tags_in_the_wrong_order_and_the_garden_begins_without_a_heading() -> None:
    bakery = text("website/korst/index.htm")
    assert "</h1></i>" in bakery
    assert "</body>" not in bakery
    garden = text("website/rietkraag/index.html")
    assert garden.index("<p>") < garden.index("<h2")


def headings(path: str) -> list[tuple[str, str]]:
    return re.findall(r"^(#+) (.+)$", text(path), flags=re.MULTILINE)


GUIDES = sorted(path.name.removesuffix(".nl.md") for path in (SAMPLE / "documents").glob("*.nl.md"))


def test_there_are_guides_in_both_languages() -> None:
    found = {path.name for path in (SAMPLE / "documents").glob("*.md")}
    assert found == {f"{each}.{language}.md" for each in GUIDES for language in ("nl", "en")}
    assert len(GUIDES) == 6


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_is_built_alike_in_both_languages(guide: str) -> None:
    dutch, english = f"documents/{guide}.nl.md", f"documents/{guide}.en.md"
    assert [level for level, _ in headings(dutch)] == [level for level, _ in headings(english)]
    assert not {title for _, title in headings(dutch)} & {title for _, title in headings(english)}
    for mark in (r"^\|", r"^- ", r"^\d\. ", r"^```"):
        assert len(re.findall(mark, text(dutch), re.M)) == len(re.findall(mark, text(english), re.M)), mark
    codes = r"NL-Wtk[A-Z]{3}"
    assert re.findall(codes, text(dutch)) == re.findall(codes, text(english))


def test_the_guide_to_the_archive_is_long_and_names_it_alone() -> None:
    for path in ("documents/archiefgids.nl.md", "documents/archiefgids.en.md"):
        guide = text(path)
        assert len(guide.split()) > 500
        assert set(re.findall(r"NL-Wtk[A-Z]{3}", guide)) == {"NL-WtkSAW"}
        (fence,) = re.findall(r"^```$(.+?)^```$", guide, re.M | re.S)
        assert "inv.nr. 245" in fence
