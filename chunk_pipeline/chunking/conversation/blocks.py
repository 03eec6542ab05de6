"""The texts of a message: which of its blocks say something, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from chunk_pipeline.chunking.conversation import reasons
from chunk_pipeline.chunking.conversation.decoding import Decoded, decoded, string
from chunk_pipeline.chunking.conversation.leaves import members
from chunk_pipeline.chunking.conversation.message import Attachment, Stretch
from chunk_pipeline.chunking.conversation.placeholders import without_placeholders
from chunk_pipeline.chunking.json.tree import Node

_REASONS = {"thinking": reasons.THINKING, "redacted_thinking": reasons.THINKING}
_TOOL = "tool_"
_FILE_LISTS = ("attachments", "files", "files_v2")


@dataclass(frozen=True, slots=True)
class Marks:
    """What is found out of a file while it is read.

    Attributes:
        source: The file.
        reasons: As in ``Export``.
        texts: As in ``Export``.
    """

    source: str
    reasons: dict[int, str]
    texts: dict[int, Decoded]


def stretches_of(fields: Mapping[str, Node], marks: Marks) -> tuple[Stretch, ...]:
    """What a message says.

    Args:
        fields: Its members.
        marks: Gets the texts, and the reasons for what is none.
    """
    content = _content(fields.get("content"), marks)
    plain = fields.get("text")
    if plain is None or plain.kind != "string":
        return content
    if not content:
        return _stretches(plain, marks)
    repeats = _same(string(marks.source, plain), content)
    marks.reasons[plain.start] = reasons.REPEATS if repeats else reasons.DIFFERS
    return content


def attachments_of(fields: Mapping[str, Node], marks: Marks) -> tuple[Attachment, ...]:
    """The files of a message that have text; arguments as in :func:`stretches_of`."""
    found: list[Attachment] = []
    for name in _FILE_LISTS:
        node = fields.get(name)
        for child in node.children if node is not None and node.kind == "array" else ():
            file = members(child)
            label = file.get("file_name")
            if label is not None:
                marks.reasons[label.start] = reasons.FILE_NAME
            extracted = file.get("extracted_content")
            stretches = _stretches(extracted, marks) if extracted is not None else ()
            if stretches:
                found.append(Attachment(string(marks.source, label), len(found), stretches))
    return tuple(found)


def _content(node: Node | None, marks: Marks) -> tuple[Stretch, ...]:
    """The text blocks of ``content``, which may be one string."""
    if node is None:
        return ()
    if node.kind == "string":
        return _stretches(node, marks)
    return tuple(stretch for block in node.children for stretch in _block(block, marks))


def _block(block: Node, marks: Marks) -> Iterator[Stretch]:
    fields = members(block)
    kind = string(marks.source, fields.get("type"))
    text = fields.get("text")
    if text is not None and text.kind == "string" and kind in ("text", ""):
        if "citations" in fields:
            marks.reasons[fields["citations"].start] = reasons.CITATION
        yield from _stretches(text, marks)
    elif fields:
        other = reasons.TOOL if kind.startswith(_TOOL) else reasons.OTHER_BLOCK
        marks.reasons[block.start] = _REASONS.get(kind, other)


def _stretches(node: Node, marks: Marks) -> tuple[Stretch, ...]:
    if node.kind != "string":
        return ()
    text = decoded(marks.source, node)
    found = tuple(Stretch(text, start, end) for start, end in without_placeholders(text.value))
    if text.value.strip():
        marks.texts[node.start] = text
    return found


def _same(text: str, content: tuple[Stretch, ...]) -> bool:
    """Whether ``text`` says what the content does, but for white space and placeholders."""
    plain = "".join(text[start:end] for start, end in without_placeholders(text))
    said = "".join(stretch.value for stretch in content)
    return "".join(plain.split()) == "".join(said.split())
