"""Route ``question_to_answer``: what was asked in a conversation is the query, what was answered the answer.

The question itself is no answer. Where question and answer are cut as one chunk because one of them is short,
the chunk holds the query word for word and is found trivially; such questions are left out. A long message
may end with its question: then that sentence is the query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.conversation.branches import Chain, chains
from chunk_pipeline.chunking.conversation.export import read_export
from chunk_pipeline.chunking.conversation.message import Conversation, Message, Stretch
from chunk_pipeline.chunking.conversation.speakers import ASSISTANT, HUMAN
from chunk_pipeline.chunking.conversation.units import SHORT, units
from chunk_pipeline.chunking.facts.languages import detect_language
from chunk_pipeline.chunking.text.sentences import sentences
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route

SHORTEST = 15
"""Characters of a question at least: below, it needs what was said before."""

LONGEST = 300
"""And at most: above, nobody types it."""

_WORDS = """wie wat waar wanneer waarom waarmee waarvoor waarvan hoe hoeveel welk welke
who whom whose what which when where whether why how
wer wen wem wessen wo wohin woher wann warum wieso weshalb welche welcher welches wieviel
qui que quoi quel quelle quels quelles quand où pourquoi comment combien est-ce qu'est-ce
quién quiénes qué cuál cuáles cuándo dónde cómo cuánto cuántos cuánta cuántas"""
_ASKING = re.compile(rf"\W*(?:{'|'.join(_WORDS.split())}|por qué)\b", re.IGNORECASE)
"""Dutch, English, German, French and Spanish."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A message that asks, and those that answer it."""

    message: Message
    answers: tuple[Message, ...]


class QuestionToAnswer(Route):
    """Questions of 15 to 300 characters that are cut apart from their answers, with every answer they got."""

    name = "question_to_answer"
    categories = frozenset({"conversation"})
    asks = "What was answered to this question?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield one query for each question, in the order of the files; one asked twice has both answers."""
        for document in documents:
            try:
                export = read_export(document.text)
            except UnparsableError:
                continue
            for conversation in export.conversations:
                for asked in _asked(conversation):
                    query = question(asked.message.said)
                    if query:
                        yield self._query(document, query, asked.answers)

    def _query(self, document: Document, query: str, answers: Sequence[Message]) -> GoldQuery:
        spans, said = [], ""
        for message in answers:
            for stretch in _long(message):
                span = stretch.text.span(stretch.start, stretch.end)
                place = (span.start, span.end, message.pointer)
                spans.append(RelevantSpan(document.repository, document.path, *place))
                said = said or stretch.value
        languages = (detect_language(query), detect_language(said))
        mixed = all(languages) and languages[0] != languages[1]
        return GoldQuery(
            query=query,
            route=self.name,
            repository=document.repository,
            path=document.path,
            category=document.category,
            relevant=tuple(spans),
            languages="-".join(filter(None, languages)) if mixed else "",
        )


def question(text: str) -> str:
    """The question that a message asks, its white space made single; empty if none is of the right length.

    That is the whole message if it ends with a question mark or begins with a word that asks; of a longer one
    its last sentence with a question mark.
    """
    whole = " ".join(text.split())
    if len(whole) <= LONGEST:
        asks = whole.endswith("?") or _ASKING.match(whole)
        return whole if asks and len(whole) >= SHORTEST else ""
    asked = [whole[start:end] for start, end in sentences(whole) if whole[:end].endswith("?")]
    return next((each for each in reversed(asked) if SHORTEST <= len(each) <= LONGEST), "")


def _asked(conversation: Conversation) -> Iterator[_Asked]:
    """What a person said, with what the assistant said to it in any branch, if that is cut apart."""
    all_chains = chains(conversation)
    for chain in all_chains:
        apart = _unit_numbers(chain)
        for place, message in enumerate(chain.messages):
            if message.speaker != HUMAN or not message.stretches:
                continue
            following = _answers(chain.messages[place + 1 :])
            if any(apart[each.identity] == apart[message.identity] for each in following):
                continue
            elsewhere = [
                answer
                for other in all_chains
                if other is not chain and other.messages[0].parent == message.identity
                for answer in _answers(other.messages)
            ]
            answers = tuple(each for each in (*following, *elsewhere) if any(_long(each)))
            if answers:
                yield _Asked(message, answers)


def _answers(messages: Sequence[Message]) -> list[Message]:
    """What the assistant says before a person speaks again."""
    found: list[Message] = []
    for message in messages:
        if message.speaker != ASSISTANT:
            break
        if message.stretches:
            found.append(message)
    return found


def _unit_numbers(chain: Chain) -> dict[str, int]:
    """Which unit each message that says something is cut in."""
    cut = (unit for unit in units(chain) if unit.attachment is None)
    return {message.identity: number for number, unit in enumerate(cut) for message in unit.messages}


def _long(message: Message) -> list[Stretch]:
    """What of a message says enough to answer."""
    return [stretch for stretch in message.stretches if stretch.end - stretch.start >= SHORT]
