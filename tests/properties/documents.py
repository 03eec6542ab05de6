"""Documents of every format, whole and broken: fragments glued at random, repeated, cut off at random."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from heritage_documents import (
    BROKEN_CONVERSATION,
    BROKEN_CSV,
    BROKEN_HTML,
    BROKEN_YAML,
    CONVERSATION,
    CSV,
    CSV_HEADER,
    HTML,
    YAML,
)
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.json.strategies import JSON_CATEGORIES
from chunk_pipeline.chunking.registry import Strategy

PATHS = {
    "json": "i18n/app_en.json",
    "markdown": "docs/guide.md",
    "javascript": "src/index.js",
    "typescript": "src/index.ts",
    "vue": "src/App.vue",
    "text": "notes.txt",
    "conversation": "export/conversations.json",
    "csv": "registries/isil.csv",
    "html": "site/index.html",
    "yaml": "instances/custodians.yaml",
}
"""A path of each format."""

LANGUAGES = {"conversation": "json"}
"""The format that labelling gives, where it has another name."""

CATEGORIES = {
    "json": sorted(JSON_CATEGORIES),
    "markdown": ["markdown", "document"],
    "javascript": ["javascript"],
    "typescript": ["javascript"],
    "vue": ["vue"],
    "text": ["other"],
    "conversation": ["conversation"],
    "csv": ["csv_registry"],
    "html": ["website"],
    "yaml": ["yaml_instance"],
}
"""The categories that files of each format have."""

NASTY = [
    "\r\n",
    "\r",
    "\n\n",
    "\t",
    " ",
    "\x00",
    "\ufeff",
    "\u2028",
    "\u0085",
    "\u3000",
    "e\u0301\u0323",
    "\u0301",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "🇫🇷🇩🇪",
    "ﷺ",
    "日本語の文。次の文！",
    "x" * 700,
    "é" * 3000,
    "\u200d" * 40,
    "  \n" * 30,
]
PROSE = [
    "One sentence. Another one! A third? ",
    "Dr. Who paid 3.50 for it, i.e. too much.\n",
    "words " * 200,
    "A paragraph.\n\nAnother, with “quotes.”\n",
    "no_separator_at_all",
]
JSON = [
    json.dumps({"a": 1, "b": [True, None, "d e"], "é": {"f": '\U0001f600 \\ " \n'}}),
    json.dumps({f"key{i}": {"title": "word " * 20, "n": [1.5, -0.0, 1e30] * 8} for i in range(12)}, indent=2),
    json.dumps({"properties": {"p": {"type": "string", "description": "text " * 150}}, "required": ["p"]}),
    json.dumps({"long": "x" * 2500, "list": list(range(900))}),
    '{"k": "\\ud83d\\ude00", "k": 10000000000000000000000000000001, "e": 1E3}',
    "[[[[[]]]], {}, [{}]]",
]
BROKEN_JSON = [
    '{"a": 1}\n{"a": 2}\n',
    "[",
    "{",
    '"',
    "\\",
    "]",
    "}",
    ",",
    ":",
]
MARKDOWN = [
    "# Title\n\nText of the section.\n\n",
    "Setext\n======\n\nunder it\n\n",
    "---\ntitle: front\n---\n",
    "```js\nconst a = `x`\n\n# not a heading\n```\n\n",
    "````\n```\ninner\n```\n````\n",
    "~~~\ntilde\n~~~\n",
    "> quote\n> ```\n> in it\n> ```\n\n",
    "- item\n\n  ```sh\n  ls\n  ```\n- item\n  1. nested\n",
    "| a | b |\n| --- | --- |\n" + "| cell | `x` |\n" * 60 + "\n",
    "<div>\n\n*html*\n\n</div>\n\n",
    "<!-- ``` -->\n",
    "[^1]: A footnote.\n    Its second line.\n\n",
    "    indented code\n\n",
    "```text\n" + "line of a long fence\n" * 120 + "```\n",
    "- " + "long item " * 200 + "\n",
    "::: tip\ninside\n:::\n\n",
]
BROKEN_MARKDOWN = [
    "```\nnever closed\n",
    "`` ` `` and ``` in a line\n",
]
SCRIPT = [
    "import a, { b } from 'c'\n",
    "/** What it does. */\nexport function f (x) {\n  return `a ${x ? `b${x}` : ''}`\n}\n\n",
    "// a comment alone\n",
    "const r = /[/]\\/'\"`/g\n",
    "class A extends B {\n" + "  /* m */ method (a, b) {\n    if (a) { return b }\n  }\n" * 30 + "}\n",
    "const o = {\n" + "  key: [1, 2, 'three'],\n" * 80 + "}\n",
    "function long () {\n" + "  call(1, () => { other() });\n" * 80 + "}\n",
    "const s = '" + "x" * 2000 + "'\n",
    "export default { data () { return { a: 1 } } }\n",
    "switch (a) { case 1: b(); break\n default: c() }\n",
    "label: for (;;) { continue label }\n",
    "interface I<T> { a?: T }\nenum E { A = 1 }\ntype U = 'a' | 'b'\n",
    "@dec() export class D { private x!: number }\n",
    "const el = <div a={1}>text</div>\n",
    "f(" + "a + b * " * 300 + "c);\n",
    "f(\n" + "  [\n" * 40 + "'deep'" + "\n  ]" * 40 + ")\n",
    "a = `" + "text ${b} " * 200 + "`\n",
    "/*\n" + " * A long comment.\n" * 90 + " */\n",
    "var i; for (i = 0; i < 3; i++) if (i) { f() } else g()\n",
]
BROKEN_SCRIPT = [
    "#!/usr/bin/env node\n",
    "if (a) {",
    "}\n",
    "`",
    "/*",
    ")",
    "'",
]
VUE = [
    '<template>\n  <div v-if="a > 1">{{ b }}</div>\n</template>\n\n',
    "<template>\n"
    + '  <q-item v-for="i in l" :key="i"><span>text {{ i }}</span></q-item>\n' * 40
    + "</template>\n",
    "<template><div><template #slot><p>nested</p></template></div></template>\n",
    "<script>\nexport default { name: 'a' }\n</script>\n\n",
    '<script setup lang="ts">\nconst a: number = 1\n</script>\n',
    "<script>\n" + "function f (a) { return a + 1 }\n" * 60 + "</script>\n",
    "<style scoped>\n.a { color: red }\n" + ".b > .c { margin: 0 }\n" * 60 + "</style>\n",
    '<template lang="pug">\ndiv\n  p text\n</template>\n',
    '<i18n>\n{"en": {"a": "b"}}\n</i18n>\n',
    "<docs>\n# Title\n</docs>\n",
    "<!-- comment -->\n",
    "<template>\n<p>" + "words of text " * 150 + "</p>\n</template>\n",
    '<template>\n<p :a="' + "b + " * 400 + 'c">text</p>\n</template>\n',
    "<template>\n" + "<div>\n" * 30 + "<pre>\n a </pre>\n" + "</div>\n" * 30 + "</template>\n",
]
BROKEN_VUE = [
    "<br/><img src='a'>",
    "<div",
    "</div>",
    "{{",
    "<script>",
    "</template>",
]
FOUND = {
    # A letter to the grammar, white space to Python.
    "javascript": ["\x850A"],
    # What stands behind a block is whole only ahead of another.
    "vue": [f"<template><p/></template>\n\ntext\n{VUE[1]}", f"<br/><img src='a'>{VUE[1]}"],
    # Rows that end in carriage returns.
    "markdown": [MARKDOWN[8].replace("\n", "\r")],
}
"""Documents at which a strategy once failed."""
WHOLE = {
    "json": JSON,
    "markdown": MARKDOWN + SCRIPT[:2],
    "javascript": SCRIPT,
    "typescript": SCRIPT,
    "vue": VUE,
    "text": PROSE,
    "conversation": CONVERSATION,
    "csv": CSV,
    "html": HTML,
    "yaml": YAML,
}
BROKEN = {
    "json": JSON + BROKEN_JSON,
    "markdown": MARKDOWN + BROKEN_MARKDOWN + BROKEN_SCRIPT,
    "javascript": SCRIPT + BROKEN_SCRIPT,
    "typescript": SCRIPT + BROKEN_SCRIPT,
    "vue": VUE + BROKEN_VUE + SCRIPT[:3],
    "text": PROSE,
    "conversation": CONVERSATION + BROKEN_CONVERSATION,
    "csv": CSV + BROKEN_CSV,
    "html": HTML + BROKEN_HTML,
    "yaml": YAML + BROKEN_YAML,
}


def kinds(strategy: Strategy) -> list[tuple[str, str]]:
    """Category and format of every kind of document that labelling gives and the strategy takes."""
    return [
        (category, language)
        for language in PATHS
        for category in CATEGORIES[language]
        if strategy.takes(category, LANGUAGES.get(language, language))
    ]


def document(text: str, category: str, language: str) -> Document:
    return Document("shop", PATHS[language], text, category, language=LANGUAGES.get(language, language))


def glued(language: str) -> Iterator[str]:
    """A document of each fragment of the format, and some of all of them."""
    yield from BROKEN[language]
    yield from FOUND.get(language, ())
    yield whole(language)
    yield whole(language).replace("\n", "\r\n")
    yield "".join(BROKEN[language])
    yield "".join(NASTY) + "".join(BROKEN[language]) + "".join(reversed(NASTY))


def whole(language: str) -> str:
    """A document of all whole fragments of the format."""
    return join(language, WHOLE[language])


def join(language: str, parts: Sequence[str]) -> str:
    """Whole fragments as one whole document."""
    if language in ("json", "conversation"):
        return f"[{', '.join(parts)}]"
    return (CSV_HEADER if language == "csv" else "") + "".join(parts)


@st.composite
def texts(draw: st.DrawFn, language: str) -> str:
    """A text of the format: whole, or with what breaks careless code, at times cut off."""
    if draw(st.booleans()):
        parts = draw(st.lists(st.sampled_from(WHOLE[language]), min_size=1, max_size=8))
        ending = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
        return join(language, parts).replace("\n", ending)
    own = st.sampled_from(BROKEN[language])
    part = st.one_of(own, own, own, st.sampled_from(NASTY + PROSE), st.text(max_size=20))
    text = "".join(draw(st.lists(part, max_size=8))) * draw(st.sampled_from([1, 1, 1, 3]))
    if draw(st.integers(0, 3)):
        return text
    start = draw(st.integers(0, len(text)))
    return text[start : draw(st.integers(start, len(text)))]
