"""From the tree of an export to conversations, messages and texts, with a reason for all that is no text.

The text of a message is its ``content`` blocks of type ``text``; where they hold none, its ``text``. The text
of an attached file is its ``extracted_content``. What does not belong here: branches, joining, cutting.
"""

from __future__ import annotations

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.conversation import reasons
from chunk_pipeline.chunking.conversation.blocks import Marks, attachments_of, stretches_of
from chunk_pipeline.chunking.conversation.decoding import string
from chunk_pipeline.chunking.conversation.leaves import members
from chunk_pipeline.chunking.conversation.message import Conversation, Export, Message
from chunk_pipeline.chunking.conversation.speakers import speaker
from chunk_pipeline.chunking.facts.defaults import as_date
from chunk_pipeline.chunking.json.tree import Node, parse_json, pointer_to

LARGEST = 64 * 1024 * 1024
"""Characters of the largest file that is read: tree and texts take about eight bytes for each."""

_MESSAGES = "chat_messages"
_CONVERSATIONS = "conversations"
_DATES = ("created_at", "updated_at")
_OF_CONVERSATION = frozenset(
    {_MESSAGES, "uuid", "id", "name", "summary", "account", "settings", "model", "project", "project_uuid"}
    | {"current_leaf_message_uuid", "is_starred", "is_temporary", "platform", *_DATES}
)
_OF_MESSAGE = frozenset(
    {"uuid", "id", "index", "sender", "role", "text", "content", "attachments", "files", "files_v2", *_DATES}
    | {"parent_message_uuid", "truncated", "stop_reason", "input_mode", "model", "sync_sources"}
)


def read_export(text: str) -> Export:
    """Read a list of conversations, ``{"conversations": […]}``, or one conversation.

    Raises:
        UnparsableError: It is not JSON, no export, nests too deep or is too large.
    """
    if len(text) > LARGEST:
        raise UnparsableError(
            f"{len(text):,} characters, more than {LARGEST:,}: split the export into files of fewer"
            " conversations"
        )
    root = parse_json(text)
    return _Reader(text, root).export()


class _Reader:
    """One file being read."""

    def __init__(self, text: str, root: Node) -> None:
        self._text = text
        self._root = root
        self._marks = Marks(text, {}, {})

    def export(self) -> Export:
        """All conversations."""
        found: list[Conversation] = []
        known: set[str] = set()
        for pointer, node in self._conversations():
            if _MESSAGES not in members(node):
                self._marks.reasons[node.start] = reasons.NO_CONVERSATION
                continue
            found.append(self._conversation(pointer, node, known))
        return Export(self._root, tuple(found), self._marks.reasons, self._marks.texts)

    def _conversations(self) -> list[tuple[str, Node]]:
        """(JSON Pointer, node) of what should be one.

        Raises:
            UnparsableError: Nothing is.
        """
        root, pointer = self._root, ""
        if _CONVERSATIONS in members(root):
            root, pointer = members(root)[_CONVERSATIONS], pointer_to("", _CONVERSATIONS)
        if root.kind != "array":
            found = [(pointer, root)]
        else:
            found = [(pointer_to(pointer, index), child) for index, child in root.named_children()]
        if any(_is_conversation(node) for _, node in found) or (root.kind == "array" and not found):
            return found
        raise UnparsableError(
            f"not a conversation export: no {_MESSAGES} in {_shape(self._root)}; expected a list of "
            f'conversations, {{"{_CONVERSATIONS}": […]}} or one conversation. Give the file another category'
        )

    def _conversation(self, pointer: str, node: Node, known: set[str]) -> Conversation:
        fields = members(node)
        self._mark_members(node, _OF_CONVERSATION)
        self._mark(fields.get("name"), reasons.TITLE)
        self._mark(fields.get("summary"), reasons.SUMMARY)
        list_of = fields[_MESSAGES]
        below = pointer_to(pointer, _MESSAGES)
        identities: set[str] = set()
        messages = []
        for index, child in list_of.named_children() if list_of.kind == "array" else ():
            if child.kind == "object":
                messages.append(self._message(pointer_to(below, index), child, identities))
            else:
                is_null = self._text[child.start : child.end] == "null"
                self._mark(child, reasons.NULL_MESSAGE if is_null else reasons.NO_MESSAGE)
        if not any(each.stretches or each.attachments for each in messages):
            self._mark(node, reasons.EMPTY_CONVERSATION)
        return Conversation(
            identity=_identity(string(self._text, fields.get("uuid")), pointer, known),
            title=" ".join(string(self._text, fields.get("name")).split()),
            date=self._date(fields.get("created_at")),
            leaf=string(self._text, fields.get("current_leaf_message_uuid")),
            messages=tuple(messages),
        )

    def _message(self, pointer: str, node: Node, known: set[str]) -> Message:
        fields = members(node)
        self._mark_members(node, _OF_MESSAGE)
        stretches = stretches_of(fields, self._marks)
        attachments = attachments_of(fields, self._marks)
        if not (stretches or attachments):
            content = fields.get("content")
            has_blocks = content is not None and any(map(members, content.children))
            self._mark(node, reasons.ONLY_BLOCKS if has_blocks else reasons.EMPTY_MESSAGE)
        parent = fields.get("parent_message_uuid")
        return Message(
            identity=_identity(string(self._text, fields.get("uuid")), pointer, known),
            pointer=pointer,
            speaker=speaker(string(self._text, fields.get("sender") or fields.get("role"))),
            date=self._date(fields.get("created_at")),
            parent=None if parent is None else string(self._text, parent),
            stretches=stretches,
            attachments=attachments,
        )

    def _mark(self, node: Node | None, reason: str) -> None:
        if node is not None:
            self._marks.reasons.setdefault(node.start, reason)

    def _mark_members(self, node: Node, known: frozenset[str]) -> None:
        """Mark members that are not known, or that another of the same name stands for."""
        last = members(node)
        for child in node.children:
            if last.get(child.key or "") is not child:
                self._mark(child, reasons.REPEATED_KEY)
            elif child.key not in known:
                self._mark(child, reasons.UNKNOWN_MEMBER)

    def _date(self, node: Node | None) -> str:
        found = as_date(string(self._text, node))
        return found.isoformat() if found else ""


def _is_conversation(node: Node) -> bool:
    """Whether it has messages, or says that it has none (``null``)."""
    messages = members(node).get(_MESSAGES)
    return messages is not None and messages.kind in ("array", "literal")


def _identity(uuid: str, pointer: str, known: set[str]) -> str:
    identity = uuid if uuid and uuid not in known else pointer
    known.add(identity)
    return identity


def _shape(root: Node) -> str:
    """What the file is instead, in a few words."""
    if root.kind == "object":
        names = ", ".join((child.key or "")[:40] for child in root.children[:5])
        return f"an object of {names or 'nothing'}"
    return f"a list of {len(root.children)}" if root.kind == "array" else f"a {root.kind}"
