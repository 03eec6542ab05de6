"""Questions by identifier: every record that carries it answers, and only those."""

from __future__ import annotations

from pathlib import Path

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.identifier_to_row import PHRASES, IdentifierToRow
from tests.evaluation.gold.documents import answers, mined

REGISTRY = Document(
    "register",
    "isil.csv",
    "Instelling;ISIL code;KvK-nummer;Opmerking\n"
    "Archief Oost;NL-OstA;01234567;zie NL-WstB\n"
    "Archief Oost, depot;NL-OstA;;\n"
    ";;geen;leeg\n",
    "csv_registry",
)
INSTANCES = Document(
    "portal",
    "a.yaml",
    "- preferred_label: Archief Oost\n"
    "  ghcid: NL-ZH-OST-A-AO\n"
    "  identifiers:\n"
    "  - {identifier_scheme: ISIL, identifier_value: NL-OstA}\n"
    "- preferred_label: Bibliotheek West\n"
    "  identifiers: [Q190804, 'https://viaf.org/viaf/123456789']\n",
    "yaml_instance",
)
BROKEN = Document("portal", "b.yaml", "a: [", "yaml_instance")


def test_rows_and_instances_that_carry_an_identifier_answer_it_apart() -> None:
    documents = [INSTANCES, BROKEN, REGISTRY]
    queries = {(query.target, query.category): query for query in mined(IdentifierToRow(), *documents)}
    assert set(queries) == {
        ("NL-OstA", "yaml_instance"),
        ("NL-OstA", "csv_registry"),
        ("01234567", "csv_registry"),
        ("NL-ZH-OST-A-AO", "yaml_instance"),
        ("Q190804", "yaml_instance"),
    }
    instance, rows = queries["NL-OstA", "yaml_instance"], queries["NL-OstA", "csv_registry"]
    assert instance.query == rows.query
    assert answers(instance, documents) == [
        INSTANCES.text[2 : INSTANCES.text.index("\n- preferred_label: B")]
    ]
    assert [text.split(";")[0] for text in answers(rows, documents)] == [
        "Archief Oost",
        "Archief Oost, depot",
    ]
    assert (instance.path, rows.path) == ("a.yaml", "isil.csv")
    assert [span.unit for span in (*instance.relevant, *rows.relevant)] == ["0:/0", "1", "2"]


def test_an_identifier_is_asked_alone_or_in_a_phrase_and_always_alike() -> None:
    queries = mined(IdentifierToRow(), INSTANCES, REGISTRY)
    assert all(query.target in query.query for query in queries)
    assert queries == mined(IdentifierToRow(), REGISTRY, INSTANCES)
    assert {query.lexical_overlap > 0 for query in queries} == {True}


LEAST = {"csv_registry": 20, "yaml_instance": 100}


def test_the_sample_is_asked_in_every_way() -> None:
    folder = Path(__file__).parents[3] / "data" / "sample" / "heritage"
    documents = [
        Document("heritage", path.name, path.read_bytes().decode("utf-8-sig"), category)
        for category, pattern in (("csv_registry", "registries/isil*"), ("yaml_instance", "instances/*"))
        for path in sorted(folder.glob(pattern))
    ]
    queries = mined(IdentifierToRow(), *documents)
    assert len(queries) == len({(query.target, query.category) for query in queries})
    assert all(sum(query.category == each for query in queries) > least for each, least in LEAST.items())
    assert sum(len({span.path for span in query.relevant}) > 1 for query in queries) > 20
    starts = {phrase.partition("{")[0] for phrase in PHRASES if not phrase.startswith("{")}
    assert all(any(query.query.startswith(start) for query in queries) for start in starts)
    assert any(query.query == query.target for query in queries)
