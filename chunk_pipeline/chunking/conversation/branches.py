"""The tree that messages make by what they answer, and the path through it that is current.

A person who edits a question or asks for another answer begins a branch. What belongs to no branch that the
conversation leads through now is kept, and marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from chunk_pipeline.chunking.conversation.message import Conversation, Message


class Chain(NamedTuple):
    """Messages that follow each other in one branch, in the order of the source."""

    branch: Literal["current", "other"]
    messages: tuple[Message, ...]


def chains(conversation: Conversation) -> list[Chain]:
    """A conversation's messages by branch; each is in one chain.

    Current is the path from the message that ``current_leaf_message_uuid`` names up to the first. Without
    that, or if it names none, all are current, unless two answer the same message: then the path ends with
    the last message of the file, which exports put in the order of writing. A message that does not say what
    it answers answers the one ahead of it in the file.

    Returns:
        The current chain first, if it has messages; then each other branch, in the order of the source.
    """
    messages = conversation.messages
    parents = _parents(messages)
    path = _path(conversation, parents)
    found = [Chain("current", tuple(each for each in messages if each.identity in path))]
    ends: dict[str, int] = {}
    others: list[list[Message]] = []
    for message in messages:
        if message.identity in path:
            continue
        # A branch goes on with the first answer to its last message; a second one begins another branch.
        place = ends.pop(parents[message.identity], len(others))
        if place == len(others):
            others.append([])
        others[place].append(message)
        ends[message.identity] = place
    found.extend(Chain("other", tuple(each)) for each in others)
    return [chain for chain in found if chain.messages]


def _parents(messages: Sequence[Message]) -> dict[str, str]:
    """What each message answers, by identity; that may be no message."""
    parents: dict[str, str] = {}
    before = ""
    for message in messages:
        parents[message.identity] = before if message.parent is None else message.parent
        before = message.identity
    return parents


def _path(conversation: Conversation, parents: dict[str, str]) -> frozenset[str]:
    """Identities of the current messages."""
    end = conversation.leaf
    if end not in parents:
        answered = Counter(parent for parent in parents.values() if parent)
        if not answered or max(answered.values()) == 1:
            return frozenset(parents)
        end = conversation.messages[-1].identity
    path: set[str] = set()
    while end in parents and end not in path:
        path.add(end)
        end = parents[end]
    return frozenset(path)
