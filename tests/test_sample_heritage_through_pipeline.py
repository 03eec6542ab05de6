"""What the pipeline makes of the heritage sample: nothing quarantined or lost, and what its README says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import Strategy, strategies, strategy
from chunk_pipeline.corpus.filtering import filter_files, scan
from chunk_pipeline.corpus.labelling import label_files
from chunk_pipeline.corpus.snapshot import open_snapshot
from chunk_pipeline.corpus.sources import parse_sources
from chunk_pipeline.embedding.budgets import model_budget
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.evaluation.gold.description_cross_language import DescriptionCrossLanguage
from chunk_pipeline.evaluation.gold.document_section import DocumentSection
from chunk_pipeline.evaluation.gold.identifier_to_row import IdentifierToRow
from chunk_pipeline.evaluation.gold.mining import mine
from chunk_pipeline.evaluation.gold.query import Route
from chunk_pipeline.evaluation.gold.question_to_answer import QuestionToAnswer

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "heritage"
OWN = {
    "conversation": "conversation",
    "csv_registry": "csv_registry",
    "document": "document",
    "website": "website",
    "yaml_instance": "yaml_instance",
}
"""The strategy that was made for each category."""

SOURCES = f"""
sources:
  - name: waterkerk
    kind: folder
    path: {SAMPLE}
    profile: heritage
    metadata: {{country: NL, extraction_date: '2025-08-01'}}
"""


@dataclass(frozen=True)
class Corpus:
    """The sample, filtered and labelled.

    Attributes:
        documents: Its kept files by path.
        files: Rows of ``files`` by path.
        quarantine: Rows of the quarantine.
    """

    documents: dict[str, Document]
    files: dict[str, dict[str, Any]]
    quarantine: list[dict[str, Any]]


@dataclass(frozen=True)
class Cut:
    """A document's chunks and skips, by its category's own strategy within a model's budget."""

    chunks: list[Chunk]
    skips: list[Skip]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    declared = parse_sources(SOURCES, Path("sources.yaml"))
    (source,) = declared.sources
    profile = declared.profile(source.profile)
    snapshot = open_snapshot(source, profile, tmp_path_factory.mktemp("cache"))
    filtered = filter_files(scan(source, profile, snapshot), snapshot, source, profile)
    files = label_files(filtered.files, source, profile.labels)
    documents = {each.path: each for each in documents_of(files, filtered.contents)}
    rows = {row["path"]: row for row in files.to_pylist()}
    return Corpus(documents, rows, filtered.quarantine.to_pylist())


class Cuts(dict[str, Cut]):
    """The cut of each document by its path, made when it is asked for."""

    def __init__(self, documents: dict[str, Document]) -> None:
        super().__init__()
        self.documents = documents

    def __missing__(self, path: str) -> Cut:
        self[path] = cut(strategy(OWN[self.documents[path].category]), self.documents[path])
        return self[path]


def cut(by: Strategy, document: Document) -> Cut:
    pieces = list(by.with_budget(model_budget(model(DEFAULT_MODEL))).cut(document))
    return Cut(
        [piece for piece in pieces if isinstance(piece, Chunk)],
        [piece for piece in pieces if isinstance(piece, Skip)],
    )


@pytest.fixture(scope="module")
def cuts(corpus: Corpus) -> Cuts:
    return Cuts(corpus.documents)


def facts(made: Cut) -> list[Any]:
    return [chunk.facts for chunk in made.chunks]


def record(cuts: Cuts, path: str, label: str) -> Any:
    """The facts of the record of that name."""
    return next(each for each in facts(cuts[path]) if label in each.names)


def test_every_file_is_kept_and_has_the_category_of_its_suffix(corpus: Corpus) -> None:
    assert corpus.quarantine == []
    assert [path for path, row in corpus.files.items() if row["fate"] != "kept"] == []
    assert {row["category"] for row in corpus.files.values()} == set(OWN)


@pytest.mark.parametrize(
    ("path", "encoding"),
    [
        ("registries/isil-codes_waterkerk.csv", "utf-8-sig"),
        ("registries/organisaties_waterkerk.csv", "cp1252"),
        ("website/zoutkamer/fr/index.html", "cp1252"),
        ("website/stadsarchief/index.html", "utf-8"),
    ],
)
def test_odd_encodings_are_read(corpus: Corpus, path: str, encoding: str) -> None:
    found = corpus.files[path]["encoding"]
    assert encoding.replace("cp", "") in found.replace("windows-", "")
    assert not {"\ufffd", "Ã", "\x96"} & set(corpus.documents[path].text)


def paths(*folders: str) -> list[str]:
    found = (path for folder in folders for path in (SAMPLE / folder).rglob("*"))
    return sorted(path.relative_to(SAMPLE).as_posix() for path in found if path.is_file())


@pytest.mark.parametrize("path", paths("."))
def test_nothing_of_a_file_is_lost_and_every_chunk_is_within_the_model(
    corpus: Corpus, cuts: Cuts, path: str
) -> None:
    document, row = corpus.documents[path], corpus.files[path]
    own = strategy(OWN[document.category])
    takers = [
        each for each in strategies() if each.needs_budget and each.takes(row["category"], row["language"])
    ]
    assert own in takers
    for each in takers:
        bound = each.with_budget(model_budget(model(DEFAULT_MODEL)))
        made = cuts[path] if each is own else cut(each, document)
        proof = prove(document.text, made.chunks, made.skips, each.format, bound.ceiling, bound.size)
        assert proof.holds, (each.name, proof)
        assert proof.sizes.over_limit == 0, (each.name, proof.sizes)


@pytest.mark.parametrize("path", paths("."))
def test_every_chunk_says_where_it_is_from(cuts: Cuts, path: str) -> None:
    assert cuts[path].chunks
    for each in facts(cuts[path]):
        assert path in each.source_id
        assert str(each.extraction_date) == "2025-08-01"


def test_a_row_is_a_chunk_and_empty_rows_are_skipped(cuts: Cuts) -> None:
    codes = cuts["registries/isil-codes_waterkerk.csv"]
    assert len({each.source_id for each in facts(codes)}) == 24
    assert sum("empty row" in skip.reason for skip in codes.skips) == 2
    text = "\n".join(chunk.text for chunk in codes.chunks)
    assert "NA" in text
    assert "null" in text
    assert len({each.source_id for each in facts(cuts["registries/organisaties_waterkerk.csv"])}) == 20


def test_leading_zeros_places_called_na_and_first_columns_survive(cuts: Cuts) -> None:
    museum = record(cuts, "registries/organisaties_waterkerk.csv", "Museum De Zoutkamer")
    assert ("registration_number", "00990102") in museum.slots
    village = record(cuts, "registries/isil-codes_waterkerk.csv", "Dorpsarchief Na")
    assert village.settlement == "NA"
    centre = record(cuts, "registries/aanvulling.csv", "Onderzoekscentrum Zout en Samenleving")
    assert centre.warnings
    assert ("isil_code", "NL-WtkOZS") in centre.slots
    college = record(cuts, "registries/aanvulling.csv", "Hogeschool De Kade")
    assert ("isil_code", "NL-WtkHDK") in college.slots


def test_scalars_of_instances_stay_as_they_are_written(cuts: Cuts) -> None:
    museum = record(cuts, "instances/custodians.yaml", "Museum De Zoutkamer")
    body = next(chunk.text for chunk in cuts["instances/custodians.yaml"].chunks if chunk.facts == museum)
    assert museum.ghcid == "NL-ZH-WTK-M-MDZ"
    assert "01234" in body
    assert "12:30:00" in body
    assert record(cuts, "instances/custodians.yaml", "Sjøsaltmuseet").country_code == "NO"
    assert record(cuts, "instances/custodians.yaml", "Brinemouth Salt Museum").country_code == "GB"
    assert set(record(cuts, "instances/custodians.yaml", "Bakkerijmuseum De Korst").custodian_type) == set(
        "XMT"
    )


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("instances/custodians.yaml", 32),
        ("instances/sisters.yaml", 29),
        ("instances/portal.yaml", 6),
        ("instances/zolder.yml", 1),
    ],
)
def test_an_entity_is_a_record(cuts: Cuts, path: str, count: int) -> None:
    assert len({each.source_id for each in facts(cuts[path])}) == count


def test_countries_of_the_sisters_are_codes(cuts: Cuts) -> None:
    found = facts(cuts["instances/sisters.yaml"])
    assert {each.country_code for each in found} == {"BE", "DE", "FR", "GB", "NL", "NO"}
    assert {each.language for each in found} == {"de", "en", "fr"}


def test_a_type_that_is_none_is_unknown_with_a_warning(cuts: Cuts) -> None:
    attic = facts(cuts["instances/zolder.yml"])[0]
    assert attic.custodian_type == ("U",)
    assert attic.warnings


def test_thinking_tools_and_placeholders_are_no_text_of_a_conversation(cuts: Cuts) -> None:
    text = "\n".join(chunk.text for chunk in cuts["conversations/conversations.json"].chunks)
    for absent in ("secret-tool-output", "They mean the salt museum", "This block is not supported"):
        assert absent not in text
    for present in ("Facsimile van het keurboek", "Dank je.", "geschlossen", "hoort bij een vraag"):
        assert present in text


def test_branches_and_attachments_are_marked(cuts: Cuts) -> None:
    found = facts(cuts["conversations/conversations.json"])
    assert {each.branch for each in found} == {"current", "other"}
    assert any(each.is_attachment for each in found)
    assert any(len(each.message_ids) > 1 for each in found), "short messages are joined"
    pieces = Counter(each.source_id for each in found)
    assert max(pieces.values()) >= 4, "the long answer is cut"


def test_furniture_and_hidden_text_are_skipped_with_a_reason(corpus: Corpus, cuts: Cuts) -> None:
    for page, furniture in (
        (
            "website/zoutkamer/nl/index.html",
            ("koekjes", "Uw bezoek", "schuimspaan is terug", "Colofon", "ziet niemand"),
        ),
        ("website/zoutkamer/en/index.html", ("Nederlands", "skimmer is back", "©")),
        ("website/stadsarchief/index.html", ("Begin", "staan op de beeldbank")),
    ):
        text = "\n".join(chunk.text for chunk in cuts[page].chunks)
        left = " ".join(
            corpus.documents[page].text[skip.span.start : skip.span.end] for skip in cuts[page].skips
        )
        for words in furniture:
            assert words not in text, (page, words)
            assert words in left, (page, words)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("website/zoutkamer/nl/index.html", "gesloten"),
        ("website/zoutkamer/nl/index.html", "De dansvloer ligt nog"),
        ("website/zoutkamer/de/index.xhtml", "Öffnungszeiten"),
        ("website/zoutkamer/fr/index.html", "chef-d’œuvre"),
        ("website/stadsarchief/index.html", "Noëlle d'Hérbigny"),
        ("website/rietkraag/index.html", "Op de oude schans groeit"),
        ("website/korst/index.htm", "de zure van Zwart"),
        ("website/korst/index.htm", "één brood bezorgen"),
    ],
)
def test_the_text_of_odd_pages_is_read(cuts: Cuts, page: str, words: str) -> None:
    assert any(words in chunk.text for chunk in cuts[page].chunks)


def test_every_xpath_of_the_pages_verifies(cuts: Cuts) -> None:
    found = [each for path in paths("website") for each in facts(cuts[path])]
    assert len(found) >= 40
    assert [each.xpath for each in found if not each.xpath_verified] == []
    kinds = {each.section_type for each in found}
    assert kinds >= {"about", "collection", "contact", "history", "visit"}


def test_every_custodian_is_known_to_be_described_in_dutch(cuts: Cuts) -> None:
    """Otherwise the same custodian in another language is left out of the indexes as its duplicate."""
    assert {each.language for each in facts(cuts["instances/custodians.yaml"])} == {"nl"}


@pytest.mark.parametrize(
    ("route", "least"),
    [
        (IdentifierToRow(), 60),
        (DocumentSection(), 80),
        (QuestionToAnswer(), 33),
        (DescriptionCrossLanguage(), 60),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_gold_routes_find_enough_to_ask(corpus: Corpus, route: Route, least: int) -> None:
    queries = list(
        route.mine([each for each in corpus.documents.values() if each.category in route.categories])
    )
    assert len({query.query for query in queries}) >= least


def test_the_pairs_of_languages_are_enough_to_measure(corpus: Corpus) -> None:
    pairs = Counter(
        query.languages for query in DescriptionCrossLanguage().mine(list(corpus.documents.values()))
    )
    assert min(pairs["nl-en"], pairs["en-nl"]) >= 20
    assert min(pairs[pair] for pair in ("nl-de", "de-nl", "nl-fr", "fr-nl")) >= 10


def test_every_category_is_asked_for_by_a_route_of_its_own(corpus: Corpus) -> None:
    counted = Counter(
        (query["route"], query["category"]) for query in mine(list(corpus.documents.values())).to_pylist()
    )
    least = {
        ("identifier_to_row", "csv_registry"): 50,
        ("identifier_to_row", "yaml_instance"): 100,
        ("document_section", "document"): 48,
        ("document_section", "website"): 38,
        ("question_to_answer", "conversation"): 33,
        ("description_cross_language", "document"): 30,
        ("description_cross_language", "website"): 40,
        ("description_cross_language", "yaml_instance"): 120,
    }
    assert set(counted) == set(least)
    assert {each: count for each, count in counted.items() if count < least[each]} == {}


def test_documents_answer_from_dutch_to_english_and_back(corpus: Corpus) -> None:
    found = DescriptionCrossLanguage().mine(list(corpus.documents.values()))
    pairs = Counter(query.languages for query in found if query.category == "document")
    assert min(pairs["nl-en"], pairs["en-nl"]) >= 6
