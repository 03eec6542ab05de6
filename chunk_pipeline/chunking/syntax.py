"""Whether a piece of text parses on its own in the format of its file.

This is what *integrity* counts. What does not belong here: making pieces parse (the strategies do).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.grammars import embedded_scripts, is_whole
from chunk_pipeline.chunking.json.tree import validate_json
from chunk_pipeline.chunking.markdown.fences import fences_are_whole
from chunk_pipeline.chunking.vue.dialect import as_known

SCRIPTS = ("javascript", "typescript", "tsx")
"""Grammars of scripts, in the order in which they are tried: a piece need not tell which it is."""


def parses(format: str, text: str) -> bool:
    """Whether the text parses on its own.

    Args:
        format: ``json`` (RFC 8259), ``javascript`` (JavaScript or TypeScript), ``vue`` (a single-file
            component or a part of one, its scripts included) by tree-sitter without an error or a missing
            token, ``markdown`` (no code fence is left open: an even number of triple backticks, as the
            reference study counts; otherwise, and where there are tildes, a CommonMark parse decides),
            ``yaml`` (PyYAML composes it without an error), or ``text`` (always), as which the chunks of
            ``csv``, ``html`` and ``transcript`` count: their strategies give plain text.
        text: A chunk's passage.

    Raises:
        ValueError: The format is not known.
    """
    if format not in _PARSES:
        raise ValueError(f"format {format!r}: a strategy's format must be one of {', '.join(_PARSES)}")
    return _PARSES[format](text)


def _is_json(text: str) -> bool:
    try:
        validate_json(text)
    except UnparsableError:
        return False
    return True


def _is_markdown(text: str) -> bool:
    if text.count("```") % 2 == 0 and "~~~" not in text:
        return True
    return fences_are_whole(text)


def _is_yaml(text: str) -> bool:
    from chunk_pipeline.chunking.instance_yaml.compose import compose

    try:
        compose(text)
    except UnparsableError:
        return False
    return True


def _is_script(text: str) -> bool:
    return any(is_whole(grammar, text) for grammar in SCRIPTS)


def _is_vue(text: str) -> bool:
    scripts = embedded_scripts(text)
    if scripts is None:
        scripts = embedded_scripts(as_known(text))
    return scripts is not None and all(_is_script(script) for script in scripts)


_PARSES: Mapping[str, Callable[[str], bool]] = {
    "json": _is_json,
    "markdown": _is_markdown,
    "javascript": _is_script,
    "vue": _is_vue,
    "yaml": _is_yaml,
    **dict.fromkeys(("csv", "html", "text", "transcript"), lambda text: True),
}
