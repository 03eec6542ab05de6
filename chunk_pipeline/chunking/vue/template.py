"""The regions of a template's markup: elements at their children, all the way down.

An element that does not fit is taken apart at its children, each piece with the tags of the enclosing
elements, without attributes: what an element says about itself stands once, where it begins. A comment
belongs to the element that it is ahead of, and ``v-if`` to ``v-else``. What does not belong here: tags and
attributes (``vue.tags``), templates in languages without tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.regions import Region
from chunk_pipeline.chunking.vue.around import BUDGET, LARGE, SLICE, Around, Outline
from chunk_pipeline.chunking.vue.sfc import ELEMENTS, TAGS
from chunk_pipeline.chunking.vue.tags import label_of, name_of, tag_region, takes_over

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDS = frozenset({"start_tag", "self_closing_tag", "end_tag"})


class TemplateRegions:
    """Takes markup apart, as far as it is asked.

    Args:
        source: The parse that it is from.
        limit: Characters of a chunk.

    Attributes:
        outline: The names of the elements that were seen.
    """

    def __init__(self, source: Source, limit: int) -> None:
        self.outline = Outline()
        self._source = source
        self._budget = int(limit * BUDGET)
        self._large = int(limit * LARGE)
        self._slice = max(1, int(limit * SLICE))

    def root(self, node: Node) -> Region:
        """The region of a block with markup in it; its own tags are not part of what is open inside."""
        inside = [each for each in node.children if each.type not in _ENDS]
        place = self._source.place
        return Around().region(
            place(node.start_byte), place(node.end_byte), lambda: self._row(inside, Around())
        )

    def _row(self, nodes: Sequence[Node], around: Around) -> list[Region]:
        """Siblings: comments with what follows them, alternatives together."""
        return [self._group(each, around) for each in self._groups(nodes)]

    def _groups(self, nodes: Sequence[Node]) -> list[list[Node]]:
        """Comments with the element that they are ahead of, and elements with their alternatives."""
        groups: list[list[Node]] = []
        for node in nodes:
            if groups and groups[-1][-1].type == "comment" and node.type in ELEMENTS | {"comment"}:
                groups[-1].append(node)
            else:
                groups.append([node])
            ahead = groups[-2][-1] if len(groups) > 1 else None
            if ahead and ahead.type in ELEMENTS and node.type in ELEMENTS and takes_over(node, self._source):
                alternative = groups.pop()
                groups[-1] += alternative
        return groups

    def _group(self, group: list[Node], around: Around) -> Region:
        place = self._source.place
        regions = [self._node(each, around) for each in group]
        if len(group) == 1:
            return regions[0]
        start, end = place(group[0].start_byte), place(group[-1].end_byte)
        ahead = regions[-1].start - start
        if all(each.type == "comment" for each in group[:-1]) and ahead <= self._large:
            return regions[-1]._replace(start=start)
        return around.region(start, end, lambda: regions)

    def _node(self, node: Node, around: Around) -> Region:
        start, end = self._source.place(node.start_byte), self._source.place(node.end_byte)
        if node.type in ELEMENTS:
            return self._element(node, start, end, around)
        if node.type == "comment":
            return self._text(start + 4, end - 3, around.into("<!--", "-->"))._replace(start=start, end=end)
        if node.type == "interpolation":
            return self._text(start + 2, end - 2, around.into("{{", "}}"))._replace(start=start, end=end)
        return self._text(start, end, _on_lines(around))

    def _text(self, start: int, end: int, around: Around) -> Region:
        return around.sliced(self._source.text, start, end, self._slice)

    def _element(self, node: Node, start: int, end: int, around: Around) -> Region:
        name, label = name_of(node, self._source), label_of(node, self._source)
        self.outline.note(start, around.label, label)
        inside = around.into(f"<{name}>", f"</{name}>", label)
        if inside.size <= self._budget:
            return _on_lines(inside).region(start, end, partial(self._parts, node, around, inside))
        apart = Around(label=around.label)
        inside = apart.into(f"<{name}>", f"</{name}>", label)
        region = _on_lines(inside).region(start, end, partial(self._parts, node, apart, inside))
        return _on_lines(around).alone(region)

    def _parts(self, node: Node, around: Around, inside: Around) -> Sequence[Region]:
        """The tag of an element, if it is large, and what is in it."""
        children = node.children
        tag = children[0]
        nodes = [each for each in children if each.type not in _ENDS]
        if node.type in ("script_element", "style_element"):
            place = self._source.place
            regions = [
                self._text(place(each.start_byte), place(each.end_byte), inside)
                for each in nodes
                if each.end_byte > each.start_byte
            ]
        else:
            regions = self._row(nodes, inside)
        if tag.type in TAGS and (not regions or tag.end_byte - tag.start_byte > self._large):
            closed = children[-1].type == "end_tag" or bool(nodes)
            regions.insert(0, tag_region(tag, around, self._source, self._slice, closed))
        return regions


def _on_lines(around: Around) -> Around:
    """What is open, on lines of its own: white space between children means nothing."""
    if not around.size:
        return around
    return around._replace(opening=around.opening + "\n", closing="\n" + around.closing)
