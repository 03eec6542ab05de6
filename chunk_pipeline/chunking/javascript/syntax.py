"""The strategy ``js_syntax``: JavaScript and TypeScript cut on a parse, within a limit.

What does not belong here: where declarations are cut (``javascript.regions``) and how pieces are proved
(``javascript.chunks``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, Span
from chunk_pipeline.chunking.javascript.chunks import ScriptChunks
from chunk_pipeline.chunking.javascript.groups import Group, groups_of
from chunk_pipeline.chunking.javascript.regions import LIMIT
from chunk_pipeline.chunking.javascript.source import Source
from chunk_pipeline.chunking.registry import Strategy, register
from chunk_pipeline.chunking.syntax import SCRIPTS
from chunk_pipeline.chunking.text.recursive import recursive_chunks

_FIRST_GRAMMAR = {
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".js": "javascript",
}

_FOREIGN_SPACE = "\x1c\x1d\x1e\x1f\x85"
"""White space to Python, which trims it, and letters to the grammars."""

_FEW = 4
"""What stands between two errors is cut with them if it is smaller than the limit divided by this."""


@register
class JsSyntax(Strategy):
    """Whole declarations with their comments, larger ones cut at their parts, all of which parse."""

    name = "js_syntax"
    version: ClassVar[int] = 1
    categories: ClassVar[frozenset[str]] = frozenset({"javascript"})
    limit: ClassVar[int] = LIMIT
    format: ClassVar[str] = "javascript"
    promises_integrity: ClassVar[bool] = True
    promises_limit: ClassVar[bool] = True

    def cut(self, document: Document) -> Iterator[Chunk | Skip]:
        """Cut on a parse; what does not parse is cut as text, with ``metadata.fallback``."""
        return cut_script(document.text, document.name, self.limit)


def cut_script(text: str, name: str, limit: int) -> Iterator[Chunk | Skip]:
    """Cut a script.

    Args:
        text: JavaScript or TypeScript.
        name: The document's name, whose suffix tells which grammar is tried first; for headers.
        limit: Characters of a chunk's text, header included.

    Yields:
        Chunks in order, with one span each; one skip for a text that is blank and not empty.
    """
    if not text.strip():
        if text:
            yield Skip(Span(0, len(text)), "blank document")
        return
    source = _parsed(text, name)
    groups = groups_of(source.root.children, source)
    chunks = ScriptChunks(source, name, limit)
    if not source.root.has_error:
        foreign = any(space in text for space in _FOREIGN_SPACE)
        yield from chunks.chunks(groups, 0, len(text), trusted=not foreign)
    elif source.root.type != "program":
        yield from recursive_chunks(text, limit, _reason(text, 0))
    else:
        yield from _around_errors(source, groups, chunks, limit)


def _parsed(text: str, name: str) -> Source:
    """The script in the first grammar in which it parses, or if in none, in the one for its suffix."""
    first = _FIRST_GRAMMAR.get(name[name.rfind(".") :].lower(), "javascript")
    sources = (
        Source(text, 0, len(text), grammar)
        for grammar in (first, *(each for each in SCRIPTS if each != first))
    )
    best = next(sources)
    if not best.root.has_error:
        return best
    return next((each for each in sources if not each.root.has_error), best)


def _around_errors(
    source: Source, groups: Sequence[Group], chunks: ScriptChunks, limit: int
) -> Iterator[Chunk | Skip]:
    """Statements without an error as ever, stretches with one as text."""
    runs = _runs(groups, limit)
    starts = [0, *(run[0].start for _, run in runs[1:]), source.end]
    for (broken, run), start, end in zip(runs, starts, starts[1:], strict=False):
        if broken:
            yield from recursive_chunks(source.text, limit, _reason(source.text, start), start, end)
        else:
            yield from chunks.chunks(run, start, end, trusted=False)


def _runs(groups: Sequence[Group], limit: int) -> list[tuple[bool, list[Group]]]:
    """The statements in runs with an error and without; what is small between errors goes with them."""
    runs = [(broken, list(run)) for broken, run in groupby(groups, key=_is_broken)]
    broken = [
        bad or (0 < place < len(runs) - 1 and run[-1].end - run[0].start < limit // _FEW)
        for place, (bad, run) in enumerate(runs)
    ]
    pairs = zip(broken, (run for _, run in runs), strict=True)
    return [
        (bad, [group for _, run in those for group in run])
        for bad, those in groupby(pairs, lambda pair: pair[0])
    ]


def _is_broken(group: Group) -> bool:
    return group.node is not None and group.node.has_error


def _reason(text: str, place: int) -> str:
    number = text.count("\n", 0, place) + 1
    return f"line {number}: this does not parse as JavaScript or TypeScript"
