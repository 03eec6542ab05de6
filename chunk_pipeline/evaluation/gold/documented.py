"""What documentation says about symbols: headings, items, rows and paragraphs that open with ``name(``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.markdown_blocks import Block, blocks, lead, section
from chunk_pipeline.evaluation.gold.markdown_phrases import BLOCKED, SYMBOL_SHORTEST
from chunk_pipeline.evaluation.gold.masking import prose

_OPENS_WITH = re.compile(
    r"[ \t]*(?:[-*+|][ \t]+|\d+[.)][ \t]+)?(?:\*\*|`)+"
    r"(?:async\s+)?(?:[\w$]+\.)*([A-Za-z_$][\w$]*)\s*\([^`*\n]*(?:\*\*|`)+"
)


class Documented(NamedTuple):
    """A symbol with what a page says about it.

    Attributes:
        symbol: The identifier.
        text: The paragraph about it, as ``masking.prose``.
        document: The page.
        start: First character of the section, item, row or paragraph about it.
        end: Character after the last.
    """

    symbol: str
    text: str
    document: Document
    start: int
    end: int


def documented(documents: Sequence[Document]) -> Iterator[Documented]:
    """Every symbol that a page documents with a paragraph, in the order of pages."""
    for document in documents:
        parsed = blocks(document.text)
        for place, block in enumerate(parsed):
            opening = _OPENS_WITH.match(block.text) if block.kind != "fence" else None
            if opening is None or len(opening[1]) < SYMBOL_SHORTEST or opening[1].lower() in BLOCKED:
                continue
            if block.level:
                text = _first_paragraph(parsed, place)
                start, end = section(parsed, place)
            else:
                text = prose(_description(block.text, opening.end()))
                start, end = block.start, block.end
            if text:
                yield Documented(opening[1], text, document, start, end)


def _first_paragraph(parsed: Sequence[Block], heading: int) -> str:
    """The first paragraph of running text below a heading: no list, table, quotation or container."""
    return next(
        (
            prose(block.text)
            for block in lead(parsed, heading)
            if block.kind == "text" and block.text.lstrip()[:1] not in {"-", "*", "+", "|", ">", ":", "<"}
        ),
        "",
    )


def _description(text: str, after: int) -> str:
    """What follows a symbol: the longest cell of a table row, else the rest of the block."""
    if text.lstrip().startswith("|"):
        return max((cell.strip() for cell in text[after:].split("|")), key=len, default="")
    return text[after:].lstrip(" \t:—–-")
