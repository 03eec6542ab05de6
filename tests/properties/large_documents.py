"""Large documents of every format and of shapes at which careless code takes quadratic time or recurses."""

from __future__ import annotations

from collections.abc import Callable

HALF_MEGABYTE = 500_000
BRACKETS = 100_000


def _filled(unit: str, size: int) -> str:
    return unit * (size // len(unit) + 1)


def no_separator(language: str) -> str:
    """Half a megabyte without a place to cut at."""
    return f'"{"x" * HALF_MEGABYTE}"' if language == "json" else "x" * HALF_MEGABYTE


def nested(language: str) -> str:
    """100,000 brackets."""
    depth = BRACKETS // 2
    if language == "markdown":
        return "> " * depth + "text\n" + "".join(" " * level + "- a\n" for level in range(0, 600, 2))
    if language == "vue":
        # Each tag is two.
        return f"<template>{'<div>' * (depth // 2)}text{'</div>' * (depth // 2)}</template>"
    return "[" * depth + "]" * depth


def one_line(language: str) -> str:
    """Half a megabyte of small things on one line."""
    units = {
        "json": '{"a":[1,"some text"]},',
        "markdown": "Words of *prose* and `code`. ",
        "text": "A sentence of words. ",
        "vue": "<p :a='b'>text</p>",
    }
    line = _filled(units.get(language, "f(1, 'x'); "), HALF_MEGABYTE)
    wraps = {"json": ("[", "0]"), "vue": ("<template><div>", "</div></template>")}
    opening, closing = wraps.get(language, ("", ""))
    return opening + line + closing


def many_lines(language: str) -> str:
    """5 MB as people write it."""
    units = {
        "json": '  {"a": [1, "some text"], "b": {"c": null}},\n',
        "markdown": "# Title\n\nText.\n\n- item\n\n```js\ncode()\n```\n\n| a |\n| - |\n| c |\n\n",
        "text": "A line of words, and more of them.\n",
        "vue": '  <p :a="b">\n    text {{ c }}\n  </p>\n',
    }
    lines = _filled(units.get(language, "function f (a) {\n  return a + 1 // one\n}\n\n"), 10 * HALF_MEGABYTE)
    wraps = {
        "json": ("[\n", "0]\n"),
        "vue": ("<template>\n<div>\n", "</div>\n</template>\n\n<script setup>\nf()\n</script>\n"),
    }
    opening, closing = wraps.get(language, ("", ""))
    return opening + lines + closing


SHAPES: tuple[Callable[[str], str], ...] = (no_separator, nested, one_line, many_lines)
