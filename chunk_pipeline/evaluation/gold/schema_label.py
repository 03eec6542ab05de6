"""Route ``schema_label``: the words that a form shows are the query, the property that they label the answer.

A schema names a translation key (``field.label``, ``field.helper``); the text under that key, in each
language, is what a person reads on the screen. Texts that share most of their words with the property are
left out, so the route is not lexical by construction. The translation files are in the index as well and
hold the query word for word: they rank above the answer without being one, which holds for all strategies
alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.json.tree import Node, join_pointer
from chunk_pipeline.evaluation.gold.i18n_value import LONGEST, MOST_FILES, SHORTEST
from chunk_pipeline.evaluation.gold.parsed import member, parsed
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route
from chunk_pipeline.evaluation.gold.schema_property import PER_FILE
from chunk_pipeline.evaluation.gold.translations import differ, translations

KEYS = ("label", "helper")
"""Members of ``field`` that name a translation."""


class SchemaLabel(Route):
    """Labels and helpers of top-level properties, 8 to 80 characters; the 3 rarest a file and language."""

    name = "schema_label"
    categories = frozenset({"i18n_translations", "schemas_validation"})
    asks = "Which schema property is it that the form labels with these words?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries in the order of schemas, each language by itself."""
        texts = _texts([each for each in documents if each.category == "i18n_translations"])
        answers: dict[tuple[str, str], dict[RelevantSpan, str]] = defaultdict(dict)
        schemas = [each for each in documents if each.category == "schemas_validation"]
        for schema, root in parsed(schemas):
            for key, name, span in _labels(schema, root):
                for language, text in _said(texts, schema.repository, key).items():
                    if differ(text, schema.text[span.start : span.end]):
                        answers[language, text][span] = name
        for schema in schemas:
            yield from self._of_file(schema, answers)

    def _of_file(
        self, schema: Document, answers: dict[tuple[str, str], dict[RelevantSpan, str]]
    ) -> Iterator[GoldQuery]:
        own: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for (language, text), spans in answers.items():
            files = {(span.repository, span.path) for span in spans}
            if (schema.repository, schema.path) in files and len(files) <= MOST_FILES:
                own[language].append((len(files), text))
        for language, usable in sorted(own.items()):
            for _, text in sorted(usable, key=lambda each: each[0])[:PER_FILE]:
                spans = answers[language, text]
                yield GoldQuery(
                    query=text,
                    route=self.name,
                    repository=schema.repository,
                    path=schema.path,
                    category=schema.category,
                    relevant=tuple(spans),
                    target=next(iter(spans.values())),
                )


def _texts(documents: Sequence[Document]) -> dict[str, list[tuple[str, str, str]]]:
    """By dotted key: repository, language and text, in the order of files."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for each in translations(documents):
        for pointer, (text, _) in each.leaves.items():
            if SHORTEST <= len(text) <= LONGEST:
                found[pointer[1:].replace("/", ".")].append((each.document.repository, each.language, text))
    return found


def _said(texts: dict[str, list[tuple[str, str, str]]], repository: str, key: str) -> dict[str, str]:
    """The text of a key in each language: of the schema's own repository, else of another, its library."""
    said: dict[str, str] = {}
    for own in (True, False):
        for holder, language, text in texts.get(key, ()):
            if (holder == repository) is own:
                said.setdefault(language, text)
    return said


def _labels(schema: Document, root: Node) -> Iterator[tuple[str, str, RelevantSpan]]:
    """Each translation key of the top-level properties, with the property's name and its member's span."""
    properties = member(root, "properties")
    for node in properties.children if properties is not None and properties.kind == "object" else ():
        field = member(node, "field")
        for key in KEYS if field is not None and node.key is not None else ():
            named = member(field, key) if field is not None else None
            if named is not None and named.kind == "string" and node.key is not None:
                span = node.member_span()
                unit = join_pointer(("properties", node.key))
                yield (
                    str(named.value(schema.text)),
                    node.key,
                    RelevantSpan(schema.repository, schema.path, span.start, span.end, unit),
                )
