"""Large documents of every format and of shapes at which careless code takes quadratic time or recurses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

HALF_MEGABYTE = 500_000
MANY_LINES = 5_000_000 if os.environ.get("CHUNK_PIPELINE_SOAK") else 2_000_000
"""Bytes; the suite is to end in ten minutes, a soak is not."""
BRACKETS = 100_000
LARGE_RECORD = 100_000
"""Characters: what cuts by tokens counts them, which costs more than cutting by length."""


def _conversation(text: str) -> str:
    message = {"uuid": "m", "sender": "human", "text": text}
    return json.dumps([{"uuid": "c", "name": "Talk", "chat_messages": [message]}])


RECORDS: dict[str, Callable[[str], str]] = {
    "conversation": _conversation,
    "csv": lambda text: f'Plaats;Instelling;ISIL code\nGoirle;"{text}";NL-AbcDE\n',
    "html": lambda text: f"<html><body><h1>Page</h1><p>{text}</p></body></html>",
    "yaml": lambda text: f"- preferred_label: A\n  description: '{text}'\n",
}
"""One record that holds a text."""


def _filled(unit: str, size: int) -> str:
    return unit * (size // len(unit) + 1)


def no_separator(language: str) -> str:
    """Half a megabyte without a place to cut at."""
    if language in RECORDS:
        return RECORDS[language]("x" * LARGE_RECORD)
    text = "x" * HALF_MEGABYTE
    return f'"{text}"' if language == "json" else text


def nested(language: str) -> str:
    """100,000 brackets."""
    depth = BRACKETS // 2
    if language == "markdown":
        return "> " * depth + "text\n" + "".join(" " * level + "- a\n" for level in range(0, 600, 2))
    if language in RECORDS:
        return RECORDS[language]("<div>" * depth if language == "html" else "[" * depth)
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
    if language in RECORDS:
        return RECORDS[language](_filled("A sentence of words. ", LARGE_RECORD))
    line = _filled(units.get(language, "f(1, 'x'); "), HALF_MEGABYTE)
    wraps = {"json": ("[", "0]"), "vue": ("<template><div>", "</div></template>")}
    opening, closing = wraps.get(language, ("", ""))
    return opening + line + closing


def many_lines(language: str) -> str:
    """Megabytes as people write them."""
    units = {
        "json": '  {"a": [1, "some text"], "b": {"c": null}},\n',
        "markdown": "# Title\n\nText.\n\n- item\n\n```js\ncode()\n```\n\n| a |\n| - |\n| c |\n\n",
        "text": "A line of words, and more of them.\n",
        "vue": '  <p :a="b">\n    text {{ c }}\n  </p>\n',
    }
    if language in RECORDS:
        return _many_records(language)
    lines = _filled(units.get(language, "function f (a) {\n  return a + 1 // one\n}\n\n"), MANY_LINES)
    wraps = {
        "json": ("[\n", "0]\n"),
        "vue": ("<template>\n<div>\n", "</div>\n</template>\n\n<script setup>\nf()\n</script>\n"),
    }
    opening, closing = wraps.get(language, ("", ""))
    return opening + lines + closing


SHAPES: tuple[Callable[[str], str], ...] = (no_separator, nested, one_line, many_lines)


def _many_records(language: str) -> str:
    """200,000 characters of records: each costs more than a line does."""
    if language == "conversation":
        messages = [
            {"uuid": f"m{n}", "sender": "human", "text": "Words and words. " * 8} for n in range(1000)
        ]
        return json.dumps([{"uuid": "c", "name": "Talk", "chat_messages": messages}], indent=1)
    units = {
        "csv": "Goirle;An archive of some name;NL-AbcDE\n",
        "html": "<h2>Title</h2>\n<p>A paragraph of <b>words</b>.</p>\n<ul><li>item</li></ul>\n",
        "yaml": "- preferred_label: A\n  description: some words of text\n",
    }
    wraps = {
        "csv": ("Plaats;Instelling;ISIL code\n", ""),
        "html": ("<html><body>\n", "</body></html>\n"),
        "yaml": ("", ""),
    }
    opening, closing = wraps[language]
    return opening + _filled(units[language], 2 * LARGE_RECORD) + closing
