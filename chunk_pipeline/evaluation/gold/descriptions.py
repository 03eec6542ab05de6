"""What instances, pages and documents say of themselves in a sentence or two, and in which language.

What does not belong here: which of them are about the same (``description_cross_language``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.entities.identity import Key, identifiers_of, keys_of
from chunk_pipeline.chunking.facts.defaults import defaults
from chunk_pipeline.chunking.facts.identifiers import identifiers_in
from chunk_pipeline.chunking.facts.languages import detect_language
from chunk_pipeline.chunking.instance_yaml.compose import compose
from chunk_pipeline.chunking.instance_yaml.entities import entities
from chunk_pipeline.chunking.instance_yaml.facts import entity_facts
from chunk_pipeline.chunking.instance_yaml.slots import Slots
from chunk_pipeline.chunking.text.sentences import sentences
from chunk_pipeline.chunking.website.facts import page_facts
from chunk_pipeline.chunking.website.page import Page, read_page
from chunk_pipeline.evaluation.gold.language_paths import language_path
from chunk_pipeline.evaluation.gold.query import RelevantSpan

SHORTEST, LONGEST = 15, 300
"""Characters of a query."""

_FEWEST_WORDS = 8
"""Words of a paragraph that describes something."""

_SHORTEST_WORDS = 2.5
"""Characters of its words on average: below, a document was read letter by letter."""

_READ = 30_000
_SAID = 5_000
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_NO_PROSE = re.compile(r"\s*(?:#|[-*+]\s|\d+[.)]\s|>|\||!?\[|<|```|~~~|---|:::|\w[\w -]{0,30}:\s)")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_FURNITURE = frozenset({"nav", "header", "footer", "aside", "form"})
_OWN_ON_PAGES = frozenset({"isil", "ghcid"})
"""Schemes that name a custodian wherever they stand; a page links to Wikidata for anything."""


class Description(NamedTuple):
    """What describes itself.

    Attributes:
        document: Its file.
        text: Its first sentences.
        language: Their language.
        keys: Identifiers of what it is about.
        base: Repository and path without its language, where the path names one.
        answer: Where it stands: the whole file, or an instance in it.
    """

    document: Document
    text: str
    language: str
    keys: frozenset[Key]
    base: tuple[str, str] | None
    answer: RelevantSpan


class _Said(NamedTuple):
    """A description before its language is known."""

    text: str
    keys: frozenset[Key]
    start: int
    end: int
    unit: str


def descriptions(document: Document) -> Iterator[Description]:
    """What a document, or each instance in it, says of itself; nothing where its language cannot be told."""
    read = _READERS.get(document.category, _of_document)
    named = language_path(document.path)
    try:
        found = list(read(document))
    except UnparsableError:
        return
    for said in found:
        text, detected = first_sentences(said.text), detect_language(said.text)
        # What is told and what is named must not differ: a wrong folder would make a wrong pair.
        languages = {each for each in (detected, named.language if named else None) if each}
        if text and len(languages) == 1:
            base = (document.repository, named.base) if named else None
            answer = RelevantSpan(document.repository, document.path, said.start, said.end, said.unit)
            yield Description(document, text, languages.pop(), said.keys, base, answer)


def first_sentences(text: str) -> str:
    """The first sentence of a text, and the second if both fit; nothing if the first is too short or long."""
    plain = " ".join(text[:_SAID].split())
    ends = [end for _, end in sentences(plain)][:2]
    fitting = [plain[:end] for end in ends if SHORTEST <= end <= LONGEST]
    return fitting[-1] if fitting else ""


def _of_instances(document: Document) -> Iterator[_Said]:
    roots = compose(document.text, document.path)
    given = defaults(document)
    for place, entity in enumerate(entities(document.text, roots, document.path)):
        said = Slots(entity.node).first("description")
        if said:
            facts = entity_facts(document, entity, place, given)
            keys = frozenset(keys_of(identifiers_of(facts)))
            yield _Said(said, keys, entity.start, entity.end, facts.pointer)


def _of_page(document: Document) -> Iterator[_Said]:
    page = read_page(document.text)
    said = next((text for text in _paragraphs_of(page) if _is_prose(text)), "")
    if said:
        facts = page_facts(document, page, said)
        own = keys_of((each.scheme, each.value) for each in facts.identifiers)
        keys = frozenset(own) | _keys_in(page.reading.text)
        yield _Said(said, keys, 0, len(document.text), "")


def _paragraphs_of(page: Page) -> Iterator[str]:
    for number, element in enumerate(page.elements):
        if element.tag == "p" and not any(
            page.elements[each].tag in _FURNITURE for each in page.ancestors(number)
        ):
            yield page.text_of(number)


def _of_document(document: Document) -> Iterator[_Said]:
    paragraphs = _PARAGRAPHS.split(document.text[:_READ])
    plain = (_plain(each) for each in paragraphs if not _NO_PROSE.match(each))
    said = next((each for each in plain if _is_prose(each)), "")
    if said:
        yield _Said(said, _keys_in(document.text[:_READ]), 0, len(document.text), "")


def _plain(markdown: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", markdown))


def _is_prose(text: str) -> bool:
    words = text.split()
    return len(words) >= _FEWEST_WORDS and sum(map(len, words)) >= _SHORTEST_WORDS * len(words)


def _keys_in(text: str) -> frozenset[Key]:
    """The custodian's number that a text names, of each scheme of which it names only one."""
    found = keys_of((each.scheme, each.value) for each in identifiers_in(text[:_READ]))
    by_scheme: dict[str, list[Key]] = {}
    for key in found:
        by_scheme.setdefault(key.scheme, []).append(key)
    return frozenset(
        keys[0] for scheme, keys in by_scheme.items() if scheme in _OWN_ON_PAGES and len(keys) == 1
    )


_READERS: Mapping[str, Callable[[Document], Iterator[_Said]]] = MappingProxyType(
    {"yaml_instance": _of_instances, "website": _of_page, "document": _of_document}
)
