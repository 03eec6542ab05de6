"""Route ``identifier_to_row``: an identifier is the query, the rows and instances that carry it the answer.

It asks what a person asks who has a code from a letter, a catalogue or another register. The identifier
stands in the answer word for word, so lexical retrieval is favoured by construction; a model that cuts codes
into word pieces is what it tests. Identifiers that a text only mentions do not count: a record carries them.
Registries and instances answer apart, a row each: strategies are compared within a category, and one must not
be asked what only the files of another one answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document, UnparsableError, digest
from chunk_pipeline.chunking.facts.defaults import Defaults
from chunk_pipeline.chunking.facts.facts import Identifier
from chunk_pipeline.chunking.instance_yaml.compose import compose
from chunk_pipeline.chunking.instance_yaml.entities import entities
from chunk_pipeline.chunking.instance_yaml.facts import entity_facts
from chunk_pipeline.chunking.registry_csv.facts import identifiers
from chunk_pipeline.chunking.registry_csv.layout import find_table
from chunk_pipeline.chunking.registry_csv.mappings import own_columns
from chunk_pipeline.chunking.registry_csv.rows import Row, rows
from chunk_pipeline.evaluation.gold.naming import evenly
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route

SCHEMES = ("ISIL", "KvK", "GHCID", "Wikidata")
"""Schemes whose identifiers are asked for."""

PHRASES = (
    "{value}",
    "{scheme} {value}",
    "Which institution has the {scheme} code {value}?",
    "Welke instelling heeft {scheme}-code {value}?",
)
"""How they are asked for; which one follows from the identifier alone."""

PER_FILE = 100
"""Queries taken from a file, evenly over it, so that large registries do not outweigh the others."""


class IdentifierToRow(Route):
    """ISIL, KvK, GHCID and Wikidata identifiers of rows and instances; at most 100 a file."""

    name = "identifier_to_row"
    categories = frozenset({"csv_registry", "yaml_instance"})
    asks = "Which record has this identifier?"
    lexical = True

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each identifier and category that answers, of the first file that does."""
        carriers: dict[tuple[str, Identifier], list[RelevantSpan]] = defaultdict(list)
        for document in documents:
            for identifier, span in _carriers(document):
                carriers[document.category, identifier].append(span)
        by_file: dict[tuple[str, str, str], list[Identifier]] = defaultdict(list)
        for (category, identifier), spans in carriers.items():
            by_file[category, spans[0].repository, spans[0].path].append(identifier)
        for (category, repository, path), own in by_file.items():
            for identifier in evenly(own, PER_FILE):
                yield GoldQuery(
                    query=asked(identifier),
                    route=self.name,
                    repository=repository,
                    path=path,
                    category=category,
                    relevant=tuple(dict.fromkeys(carriers[category, identifier])),
                    target=identifier.value,
                )


def asked(identifier: Identifier) -> str:
    """The query for an identifier: alone or in a phrase."""
    phrase = PHRASES[int(digest(f"{identifier.scheme} {identifier.value}")[:8], 16) % len(PHRASES)]
    return phrase.format(scheme=identifier.scheme, value=identifier.value)


def _carriers(document: Document) -> Iterator[tuple[Identifier, RelevantSpan]]:
    """The identifiers of a file with the records that carry them; none of a file that does not parse."""
    try:
        found = list(_of_rows(document) if document.category == "csv_registry" else _of_entities(document))
    except (UnparsableError, ValueError):
        return
    for identifier, start, end, unit in found:
        if identifier.scheme in SCHEMES:
            yield identifier, RelevantSpan(document.repository, document.path, start, end, unit)


def _of_rows(document: Document) -> Iterator[tuple[Identifier, int, int, str]]:
    table = find_table(document.text, own_columns(document.attributes))
    for row in rows(document.text, table):
        if isinstance(row, Row):
            for identifier in identifiers(row).found:
                yield identifier, row.record.start, row.record.end, str(row.number)


def _of_entities(document: Document) -> Iterator[tuple[Identifier, int, int, str]]:
    found = entities(document.text, compose(document.text, document.path), document.path)
    for place, entity in enumerate(found):
        facts = entity_facts(document, entity, place, Defaults())
        for identifier in facts.identifiers:
            yield identifier, entity.start, entity.end, facts.pointer
