"""The proof that a section's XPath leads to its text, made on the stored page and the stored chunks alone.

It shares nothing with how sections are found but the parser, so that it can catch it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunk_pipeline.chunking.chunk import Chunk
from chunk_pipeline.chunking.facts.facts import WebsiteFacts
from chunk_pipeline.chunking.reading import words
from chunk_pipeline.chunking.website.page import parse

if TYPE_CHECKING:
    from lxml.etree import _Element


@dataclass(frozen=True, slots=True)
class Misled:
    """An XPath that does not lead to its section.

    Attributes:
        xpath: The path.
        reason: What is wrong.
    """

    xpath: str
    reason: str


def misled_xpaths(text: str, chunks: Sequence[Chunk]) -> tuple[int, tuple[Misled, ...]]:
    """Try the XPaths of a page's sections.

    Args:
        text: The page as stored.
        chunks: Its chunks, with their facts.

    Returns:
        How many sections there are, and those whose path does not select exactly one element that holds all
        words of the section, or that the strategy itself could not verify.

    Raises:
        UnparsableError: The page is none.
    """
    held: dict[str, Counter[str]] = {}
    unverified: set[str] = set()
    for chunk in chunks:
        if isinstance(chunk.facts, WebsiteFacts):
            # The most that one chunk has of a word: what chunks repeat of each other stands there once.
            held[chunk.facts.xpath] = held.get(chunk.facts.xpath, Counter()) | words(chunk.body)
            if not chunk.facts.xpath_verified:
                unverified.add(chunk.facts.xpath)
    if not held:
        return 0, ()
    root = parse(text)
    reasons = {path: _reason(root, path, wanted) for path, wanted in sorted(held.items())}
    reasons |= {path: reasons[path] or "it was not verified when the page was cut" for path in unverified}
    return len(held), tuple(Misled(path, reason) for path, reason in sorted(reasons.items()) if reason)


def _reason(root: _Element, path: str, wanted: Mapping[str, int]) -> str:
    from lxml import etree

    try:
        selected = root.getroottree().xpath(path)
    except etree.XPathError as error:
        return f"it is no XPath: {error}"
    if not isinstance(selected, list) or len(selected) != 1:
        return f"it selects {len(selected) if isinstance(selected, list) else 0} elements, not one"
    lacking = Counter(wanted) - words("\n".join(selected[0].itertext()))
    for word, number in sorted(lacking.items()):
        # A word over the edge of two elements is two in the element's text.
        if word not in "".join(selected[0].itertext()):
            return f"its element lacks {word[:60]!r} ({number} times)"
    return ""
