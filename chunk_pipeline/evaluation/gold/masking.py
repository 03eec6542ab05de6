"""Prose without the words of what it describes, so that a query is not lexical by construction.

Every word that shares a term with the answer is taken out, but for English function words, which are in
any answer and tell nothing; so is code, and an article that has lost its noun. What is left is a query if
it still says most of what was said.
"""

from __future__ import annotations

import re

from chunk_pipeline.evaluation.gold.markdown_blocks import plain, without_code
from chunk_pipeline.retrieval.tokenizer import tokenize

FEWEST = 5
"""Content words that a query has at least."""

LARGEST_LOSS = 1 / 3
"""Largest share of the content words that may be taken out: above, what is left is no sentence."""

LONGEST = 200
"""Characters of the longest query: above, nobody types it."""

_FUNCTION_WORDS = """a about above after all also an and any are as at be because been before being below
between both but by can could did do does doing down during each either else for from
further had has have having he her here his how i if in into is it its itself just may me
might more most must my neither no nor not of off on once one only or other our out over
own same shall she should so some such than that the their them then there these they this
those through to too under until up upon us very was we were what when where whether which
while who whose why will with within without would yet you your"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words of English grammar."""

_ARTICLES = frozenset(
    {"a", "all", "an", "any", "each", "every", "its", "some", "the", "their", "these", "this"}
)
_CODE = "\N{REPLACEMENT CHARACTER}"
"""Stands for a code span until it is masked: it is a word that the answer has."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_EDGES = " ,;:.!?()[]{}\"'—–-=/|>"
_BRACKETS = re.compile(r"[()\[\]{}\"]+")
_LOOSE = re.compile(r"\s+([,;:.!?])")
_HEAD = re.compile(r"\A\W+")
_REPEATED = re.compile(r"[,;:](?:\s*[,;:])+")


def prose(markdown: str) -> str:
    """A paragraph without marks; code spans are replacement characters."""
    return plain(without_code(markdown, f" {_CODE} "))


def sentence_with(markdown: str, place: int) -> str:
    """The sentence of a paragraph in which a place lies, as ``prose``."""
    bounds = [0, *(found.end() for found in _SENTENCE.finditer(markdown)), len(markdown)]
    start = max(bound for bound in bounds if bound <= place)
    return prose(markdown[start : min(bound for bound in bounds if bound > place)])


def masked_sentence(paragraph: str, answer: str) -> str:
    """The first sentence that still says something when masked, or nothing.

    Args:
        paragraph: Running text, as ``prose`` gives it.
        answer: The text that answers.
    """
    return next(filter(None, (masked(sentence, answer) for sentence in _SENTENCE.split(paragraph))), "")


def masked(sentence: str, answer: str) -> str:
    """A sentence less the words that are in its answer, or nothing where too little is left.

    Args:
        sentence: As ``prose`` gives it.
        answer: The text that answers.
    """
    shared = set(tokenize(answer)) - FUNCTION_WORDS
    kept: list[str] = []
    lost = 0
    for word in sentence.split():
        if _CODE not in word and not shared.intersection(tokenize(word)):
            kept.append(word)
            continue
        lost += 1
        while kept and kept[-1].lower() in _ARTICLES:
            kept.pop()
        kept.append("".join(mark for mark in word[-1:] if mark in ",;"))
    while kept and not _content(kept[-1]):
        kept.pop()
    left = sum(map(_content, kept))
    if left < FEWEST or lost > LARGEST_LOSS * (lost + left):
        return ""
    query = _tidy(" ".join(filter(None, kept)))
    return query if len(query) <= LONGEST else ""


def _tidy(text: str) -> str:
    """Without brackets that may have lost their other half, and with the marks at the words they follow."""
    text = " ".join(_BRACKETS.sub(" ", text).split())
    return _HEAD.sub("", _REPEATED.sub(",", _LOOSE.sub(r"\1", text)).strip(_EDGES))


def _content(word: str) -> bool:
    """Whether a word says something: a term that is no function word, with a letter in it."""
    return any(term not in FUNCTION_WORDS and not term.isdigit() for term in tokenize(word))
