"""The regions of a JavaScript or TypeScript script, for the cutter of nested text.

A construct that does not fit is taken apart where a reader would: a class at its members, a function at its
statements, ``describe('x', () => {…})`` at the statements of its callback, a promise chain at its links.
Each region carries what is open inside it (``javascript.wrappers``), so that the pieces parse on their own.
What does not belong here: choosing cuts (``regions``), chunks (``javascript.syntax``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.javascript.chains import CHAINS, Link, branches_of, links_of
from chunk_pipeline.chunking.javascript.groups import COMMENTS, Group, groups_of
from chunk_pipeline.chunking.javascript.maker import RegionMaker
from chunk_pipeline.chunking.javascript.names import Element, Name, scope_of
from chunk_pipeline.chunking.javascript.open import Open, Part, Parts
from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.javascript.tokens import JSX, jsx_parts, token_parts
from chunk_pipeline.chunking.javascript.wrappers import (
    BEFORE,
    FORKS,
    GUARD,
    GUARDED,
    HUGGING,
    INTO,
    LISTS,
    NAMED_LISTS,
    UNFINISHED,
    Wrap,
)
from chunk_pipeline.chunking.region_atoms import Region, leaf

if TYPE_CHECKING:
    from tree_sitter import Node

LIMIT = 800
"""Characters of a chunk's text, header included."""

OPEN = 4
"""What is open may take the limit divided by this; what is nested deeper stands alone, if it can."""


_OPTIONAL = frozenset(
    {
        "method_definition",
        "pair",
        "field_definition",
        "public_field_definition",
        "comment",
        "html_comment",
        "jsx_text",
        "jsx_element",
    }
)


class ScriptRegions(RegionMaker):
    """Takes a parsed script apart, as far as it is asked.

    Args:
        source: The script.
        limit: Characters of a chunk.
        around: What the larger text has open around the script.
    """

    def __init__(self, source: Source, limit: int = LIMIT, around: Open | None = None) -> None:
        super().__init__(source, limit)
        self._budget = limit // OPEN
        self._around = around or Open()
        self._elements: dict[int, Element] = {}

    def root(self) -> Region:
        """The region of the whole script."""
        return self.run(groups_of(self.source.root.children, self.source), self.source.start, self.source.end)

    def run(self, groups: Sequence[Group], start: int, end: int) -> Region:
        """The region of a run of the script's outermost groups, at ``[start, end)``."""
        self._note(groups, self._around.scope)
        parts = Parts(self._row(groups, self._around), self._around)
        return self.row(start, end, parts)

    @property
    def elements(self) -> Mapping[int, Element]:
        """By first character: the parts of lists that may have a name, as far as lists were taken apart."""
        return self._elements

    def _row(self, groups: Sequence[Group], around: Open) -> list[Region]:
        """A region for each group, or for several small ones with no blank line between."""
        text, small = self.source.text, self.slice
        regions: list[Region] = []
        begin = stop = -1
        for group in groups:
            start, end = group[:2]
            if begin >= 0:
                if end - begin <= small and "\n\n" not in text[stop:start]:
                    stop = end
                    continue
                regions.append(leaf(begin, stop))
                begin = -1
            if end - start > small:
                regions.append(self._grouped(group, around))
            else:
                begin, stop = start, end
        if begin >= 0:
            regions.append(leaf(begin, stop))
        return regions

    def _grouped(self, group: Group, around: Open) -> Region:
        if group.node is None or group.comment_size > self.heavy:
            return self.lazy(group.start, group.end, partial(self._commented, group, around))
        return self.node(group.node, around, group.start)

    def _commented(self, group: Group, around: Open) -> Parts:
        """The comments ahead of a node, and the node with its decorators if there is one."""
        ahead = list(takewhile(lambda each: each.type in COMMENTS, group.comments))
        behind = [*group.comments[len(ahead) :], *([group.node] if group.node else [])]
        regions = [self.node(each, around) for each in ahead]
        if len(behind) > 1:
            start = self.source.place(behind[0].start_byte)
            regions.append(self.lazy(start, group.end, partial(self._decorated, behind, around)))
        else:
            regions += [self.node(each, around) for each in behind]
        return Parts(regions, around)

    def _decorated(self, nodes: Sequence[Node], around: Open) -> Parts:
        """A class member behind its decorators."""
        return Parts([self.node(each, around) for each in nodes], around.into(Wrap("", " _")))

    def parts_of(self, node: Node, around: Open) -> Parts | None:
        """What a node is made of, seen through what has one large part alone."""
        step: Part | Parts | None = Part(node, around)
        reach = node.start_byte + self.heavy * 2 // 3
        while isinstance(step, Part):
            node, around = step
            if around.size > self._budget:
                alone = self._alone(node, around)
                if alone or around.size > 2 * self._budget:
                    return alone
            step = self._step(node, around, reach)
        if step and node.type not in LISTS and node.type not in JSX:
            return step._replace(outer=around, stand_in=_stand_in(node.type))
        return step

    def _alone(self, node: Node, around: Open) -> Parts | None:
        """A statement or an expression deep inside, as a document of its own; none for another node."""
        if around.expression:
            between = around.into(Wrap("_", "_"))
        elif node.type.endswith(("_statement", "_declaration")):
            between = around
        else:
            return None
        region = self.node(node, Open(scope=around.scope))
        opening = GUARD if node.type in GUARDED else ""
        return Parts([region._replace(opening=opening, label=around.label, alone=True)], between)

    def _step(self, node: Node, around: Open, reach: int) -> Part | Parts | None:
        """A node's parts, or the one large node in it, if that begins ahead of the byte ``reach``."""
        kind = node.type
        if kind in LISTS:
            return self._list(node, around, reach)
        if kind in CHAINS:
            return self._chain(node, around, reach)
        if kind in FORKS:
            return self._fork(node, around, reach)
        if kind in JSX:
            return jsx_parts(node, around, self)
        tokens = token_parts(node, around, self)
        if tokens or not node.child_count:
            return tokens
        return self._construct(node, around, 0, node.child_count)

    def _list(self, node: Node, around: Open, reach: int) -> Part | Parts | None:
        kind = node.type
        groups = groups_of(_list_children(node), self.source)
        hugged = None
        if kind in HUGGING:
            hugged = self._hugged([each.node for each in groups if each.node], reach)
        if hugged and kind.endswith("_declaration"):
            return self._into(node, hugged, around)
        if hugged:
            return Part(hugged, around.into(Wrap() if kind == "sequence_expression" else LISTS[kind]))
        inside = around.into(LISTS[kind], kind)
        if kind in NAMED_LISTS:
            self._note(groups, inside.scope)
        between = inside._replace(closing=f"_{inside.closing}") if kind in UNFINISHED else inside
        return Parts(self._row(groups, inside), between, kind=kind)

    def _note(self, groups: Sequence[Group], scope: tuple[Name, ...]) -> None:
        self._elements |= [(start, (node, scope)) for start, _, node, _, _ in groups if node]

    def _hugged(self, nodes: Sequence[Node], reach: int) -> Node | None:
        """The one large node, if the others together are small and it begins ahead of a byte."""
        large = [each for each in nodes if each.end_byte - each.start_byte > self.heavy]
        if len(large) != 1 or large[0].start_byte > reach:
            return None
        rest = sum(each.end_byte - each.start_byte for each in nodes if each != large[0])
        return large[0] if rest <= self.heavy else None

    def _chain(self, node: Node, around: Open, reach: int) -> Part | Parts | None:
        """A chain at its links, or the one large node in it."""
        links = links_of(node)
        hugged = self._hugged([each.node for each in links], reach)
        if hugged or len(links) < 2:
            return self._linked(next((each for each in links if each.node == hugged), links[0]), around)
        place = self.source.place
        starts = [place(each.start) for each in links]
        ends = [*starts[1:], place(node.end_byte)]
        regions = [
            self.lazy(start, end, partial(self._link_parts, link, around))
            for link, start, end in zip(links, starts, ends, strict=True)
        ]
        return Parts(regions, around.into(Wrap("_", "")))

    def _fork(self, node: Node, around: Open, reach: int) -> Part | Parts | None:
        """Alternatives in a row, or the one large one."""
        branches = branches_of(node)
        starts = [each.start for each in branches]
        ends = [*starts[1:], node.end_byte]
        sizes = [end - start for start, end in zip(starts, ends, strict=True)]
        large = [place for place, size in enumerate(sizes) if size > self.heavy]
        single = len(large) == 1 and sum(sizes) - sizes[large[0]] <= self.heavy
        if len(branches) == 1 or (single and starts[large[0]] <= reach):
            _, holder, first, last = branches[large[0] if large else 0]
            return self._construct(holder, around, first, last)
        place = self.source.place
        regions = [
            self.lazy(
                place(start), place(end), partial(self._range, each.holder, around, each.first, each.last)
            )
            for each, start, end in zip(branches, starts, ends, strict=True)
        ]
        return Parts(regions, around.into(FORKS[node.type]))

    def _linked(self, link: Link, around: Open) -> Part | None:
        if link.node == link.holder:
            return Part(link.node, around)
        return self._into(link.holder, link.node, around)

    def _link_parts(self, link: Link, around: Open) -> Parts | None:
        part = self._linked(link, around)
        return self.parts_of(*part) if part else None

    def _into(self, node: Node, child: Node, around: Open, place: int | None = None) -> Part | None:
        """A child of a node, at that place if it is known, with what the node has open around it."""
        kind = node.type
        field = _field(node, kind, child, node.children.index(child) if place is None else place)
        wrap = INTO.get((kind, field))
        if wrap is None:
            return None
        return Part(child, around.into(wrap, kind, scope_of(node, kind, field, self.source)))

    def _construct(self, node: Node, around: Open, first: int, last: int) -> Part | Parts | None:
        """A node's children ``[first, last)``: cut ahead of one, or the largest alone."""
        children = node.children[first:last]
        sizes = [each.end_byte - each.start_byte for each in children]
        large = [place for place, size in enumerate(sizes) if size > self.heavy]
        kind = node.type
        for place in range(large[-1], large[0], -1) if large else ():
            wrap = BEFORE.get((kind, _field(node, kind, children[place], first + place)))
            if wrap:
                return self._halves(node, around.into(wrap, kind), around, (first, first + place, last))
        if len(large) != 1:
            large = sorted(large or range(len(sizes)), key=lambda each: -sizes[each])
        for place in large:
            part = self._into(node, children[place], around, first + place)
            if part:
                return part
        return None

    def _halves(self, node: Node, between: Open, around: Open, cuts: tuple[int, int, int]) -> Parts:
        """A node's children on either side of a cut."""
        first, middle, last = cuts
        place, children = self.source.place, node.children
        start, cut = place(children[first].start_byte), place(children[middle].start_byte)
        end = place(children[last - 1].end_byte)
        ahead = self.lazy(start, cut, partial(self._range, node, around, first, middle))
        behind = self.lazy(cut, end, partial(self._range, node, around, middle, last))
        return Parts([ahead, behind], between)

    def _range(self, node: Node, around: Open, first: int, last: int) -> Parts | None:
        step = self._construct(node, around, first, last)
        return self.parts_of(*step) if isinstance(step, Part) else step


def script_root(
    text: str, start: int, end: int, grammar: str, limit: int = LIMIT, around: Open | None = None
) -> Region | None:
    """The regions of a script that stands at ``[start, end)`` of a larger text.

    Args:
        text: The larger text; all offsets are of it.
        start: First character of the script.
        end: Character after its last.
        grammar: ``javascript``, ``typescript`` or ``tsx``.
        limit: Characters of a chunk, by which it is decided what is large.
        around: What the larger text has open around the script.

    Returns:
        Nothing if the script does not parse in that grammar.
    """
    source = Source(text, start, end, grammar)
    return None if source.root.has_error else ScriptRegions(source, limit, around).root()


def _stand_in(kind: str) -> str:
    """The shortest that may stand for a node of that kind."""
    if kind.endswith(("_statement", "_declaration")):
        return ";"
    return "" if kind in _OPTIONAL else "_"


def _list_children(node: Node) -> Sequence[Node]:
    """The children that may be parts of a list: in a switch's case, those behind the colon."""
    children = node.children
    if node.type not in ("switch_case", "switch_default"):
        return children
    colon = next(place for place, each in enumerate(children) if each.type == ":")
    return children[colon:]


def _field(node: Node, kind: str, child: Node, place: int) -> str:
    """By what the tables know a child: its field, or if it has none its type or place, or nothing."""
    field = node.field_name_for_child(place)
    if field:
        return field
    own = child.type
    if not child.is_named or own in COMMENTS or (kind, own) in INTO:
        return own
    if (kind, "0") in INTO:
        return "0" if place == 0 else "1"
    return ""
