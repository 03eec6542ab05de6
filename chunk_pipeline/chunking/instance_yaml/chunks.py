"""The chunks of an entity, and the stretches between entities that no chunk holds.

What does not belong here: where an entity is cut (``pieces``), and its facts (``facts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as SequenceType

from chunk_pipeline.chunking.chunk import Chunk, ChunkMetadata, Skip, Span, UnparsableError
from chunk_pipeline.chunking.facts.facts import InstanceFacts
from chunk_pipeline.chunking.fitted_header import fitted_header
from chunk_pipeline.chunking.instance_yaml.compose import compose
from chunk_pipeline.chunking.instance_yaml.entities import Entity, label_of
from chunk_pipeline.chunking.instance_yaml.facts import of_piece
from chunk_pipeline.chunking.instance_yaml.nodes import Alias, Mapping, Node, Sequence
from chunk_pipeline.chunking.instance_yaml.pieces import AS_TEXT, Cut, Sized, indentation, pieces, trimmed

OUTSIDE = "an alias whose anchor stands outside of the chunk"
NOT_ALONE = "a stretch that is not YAML by itself"
MARKER = "mark of a list or document"
COMMENT = "comment between entities"
BESIDE = "beside the entities"
ANCHORS = ".anchors"
"""Key under which a chunk repeats the anchored values that it refers to."""

_LONGEST_ANCHOR = 200
_MARKS = re.compile(r"(?:\.\.\.|[-\[\],\s]|%[^\n]*)*")
_LONGEST_LABEL = 200


class Cutter:
    """Makes the chunks of one file.

    Attributes:
        name: Of the file, as headers have it.
        sized: What a chunk may be; its ``size`` counts a passage without any header.
    """

    def __init__(self, text: str, name: str, sized: Sized) -> None:
        self._text = text
        self.name = " ".join(name.split())
        self.sized = sized

    def chunks(self, entity: Entity, facts: InstanceFacts) -> Iterator[Chunk]:
        """The chunk of an entity, or its pieces in order."""
        end = trimmed(self._text, entity.start, entity.end)
        whole = self._chunk(entity, Cut(entity.start, end, ""), self.header((self.name,)), facts)
        if self.size(whole.text) <= self.sized.ceiling:
            yield whole
            return
        headers = _Headers(self, entity)
        sized = self.sized._replace(size=headers.size)
        for cut in pieces(self._text, entity._replace(end=end), sized):
            yield self._chunk(entity, cut, headers.of(cut.pointer), facts)

    def _chunk(self, entity: Entity, cut: Cut, header: str, facts: InstanceFacts) -> Chunk:
        body = self._text[cut.start : cut.end]
        opening, closing = cut.wrap or (indentation(self._text, cut.start), "")
        unit = f"{entity.document}:{entity.pointer}{cut.pointer}"
        spans = (Span(cut.start, cut.end),)
        chunk = Chunk(body, spans, unit, header, opening, closing, facts=of_piece(facts, body))
        fallback = None if _is_yaml(chunk.passage) else AS_TEXT if cut.wrap else NOT_ALONE
        if fallback and _refers_outside(entity.held, cut):
            fallback = OUTSIDE
            repeated = f"{opening}{ANCHORS}: [{', '.join(self._anchors(entity.held, cut))}]\n{opening}"
            alone = chunk._replace(opening=repeated)
            if _is_yaml(alone.passage) and self.size(alone.text) <= self.sized.ceiling:
                chunk, fallback = alone, None
        elif fallback == AS_TEXT:
            chunk = chunk._replace(opening="", closing="")
        over = self.size(chunk.text) > self.sized.ceiling
        metadata = ChunkMetadata(facts.language, fallback=fallback, indivisible=over or None)
        return chunk._replace(metadata=metadata)

    def _anchors(self, node: Node, cut: Cut) -> list[str]:
        """Values outside of a cut that it refers to, each with its anchor, where they are short."""
        targets = {each.name: each.target for each in _aliases_out(node, cut)}
        found = {name: self._text[target.start : target.end] for name, target in targets.items()}
        fits = all(len(each) <= _LONGEST_ANCHOR and "\n" not in each for each in found.values())
        return [found[name] for name in sorted(found)] if fits else []

    def header(self, headers: SequenceType[str]) -> str:
        """The fullest of the headers that leaves room."""
        return fitted_header(headers, self.size, self.sized.ceiling)

    def size(self, text: str) -> int:
        """Tokens of a text."""
        return self.sized.size(text, "")


class _Headers:
    """The headers of an entity's pieces, by their pointers."""

    def __init__(self, cutter: Cutter, entity: Entity) -> None:
        self._cutter = cutter
        self._label = " ".join(label_of(entity).split())[:_LONGEST_LABEL]
        self._known: dict[str, str] = {}

    def of(self, pointer: str) -> str:
        """File, label and pointer, as far as they fit."""
        if pointer not in self._known:
            place = " ".join(f"{self._label} {pointer}".split())
            headers = [each for each in (place, self._label) if each]
            self._known[pointer] = self._cutter.header([f"{self._cutter.name}\n{place}", *headers])
        return self._known[pointer]

    def size(self, stretch: str, pointer: str) -> int:
        """Tokens of a passage under its header."""
        header = self.of(pointer)
        return self._cutter.size(f"{header}\n{stretch}" if header else stretch)


def between(text: str, spans: SequenceType[Span]) -> Iterator[Skip]:
    """What stands between spans, ahead of the first and behind the last, with the reason.

    Args:
        text: The file.
        spans: Ascending and disjoint.
    """
    position = 0
    for span in (*spans, Span(len(text), len(text))):
        gap = text[position : span.start]
        if gap.strip():
            start = position + len(gap) - len(gap.lstrip())
            yield Skip(Span(start, trimmed(text, start, span.start)), _reason(gap))
        position = max(position, span.end)


def _reason(gap: str) -> str:
    if _MARKS.fullmatch(gap):
        return MARKER
    without = "\n".join(line.partition("#")[0] for line in gap.splitlines())
    return COMMENT if _MARKS.fullmatch(without) else BESIDE


def _is_yaml(text: str) -> bool:
    try:
        compose(text)
    except UnparsableError:
        return False
    return True


def _aliases_out(node: Node, cut: Cut) -> Iterator[Alias]:
    """Aliases inside a cut whose anchors stand ahead of it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Alias):
            if cut.start <= each.start < cut.end and each.target.start < cut.start:
                yield each
        elif isinstance(each, Mapping):
            waiting.extend(part for entry in each.entries for part in entry)
        elif isinstance(each, Sequence):
            waiting.extend(each.items)


def _refers_outside(node: Node, cut: Cut) -> bool:
    return next(_aliases_out(node, cut), None) is not None
