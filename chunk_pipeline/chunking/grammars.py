"""Tree-sitter grammars, loaded when they are first needed, and the questions asked of them.

Offsets of tree-sitter are bytes of UTF-8; those of chunks are characters. What does not belong here: cutting.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree


@cache
def parser(grammar: str) -> Parser:
    """The parser of ``javascript``, ``typescript``, ``tsx``, ``vue``, ``html`` or ``css``."""
    from tree_sitter_language_pack import SupportedLanguage, get_parser

    return get_parser(cast("SupportedLanguage", grammar))


def parse(grammar: str, source: bytes) -> Tree:
    """The syntax tree of UTF-8 text; tree-sitter never refuses, it marks errors."""
    return parser(grammar).parse(source)


def is_whole(grammar: str, text: str) -> bool:
    """Whether the text parses without an ERROR node and without a missing token."""
    return not parse(grammar, text.encode(errors="surrogatepass")).root_node.has_error


def embedded_scripts(text: str) -> list[str] | None:
    """The contents of the script elements of a Vue component; none where it is not whole itself."""
    source = text.encode(errors="surrogatepass")
    root = parse("vue", source).root_node
    if root.has_error:
        return None
    scripts: list[str] = []
    for node in root.children:
        if node.type == "script_element":
            scripts += [_text(child, source) for child in node.children if child.type == "raw_text"]
    return scripts


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="surrogatepass")
