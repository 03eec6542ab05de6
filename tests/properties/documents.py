"""Documents of every format, whole and broken: fragments glued at random, repeated, cut off at random."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import Strategy

PATHS = {
    "json": "i18n/app_en.json",
    "markdown": "docs/guide.md",
    "javascript": "src/index.js",
    "typescript": "src/index.ts",
    "vue": "src/App.vue",
    "text": "notes.txt",
}
"""A path of each format."""

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
    '{"a": 1}\n{"a": 2}\n',
    '{"k": "\\ud83d\\ude00", "k": 10000000000000000000000000000001, "e": 1E3}',
    "[[[[[]]]], {}, [{}]]",
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
    "```\nnever closed\n",
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
    "<br/><img src='a'>",
    "<div",
    "</div>",
    "{{",
    "<script>",
    "</template>",
]
FRAGMENTS = {
    "json": JSON,
    "markdown": MARKDOWN + SCRIPT[:2],
    "javascript": SCRIPT,
    "typescript": SCRIPT,
    "vue": VUE + SCRIPT[:3],
    "text": PROSE,
}


def kinds(strategy: Strategy) -> list[tuple[str, str]]:
    """Category and format of every kind of document that the strategy takes."""
    return [
        (category, language)
        for category in sorted(strategy.categories)
        for language in PATHS
        if strategy.takes(category, language)
    ]


def document(text: str, category: str, language: str) -> Document:
    return Document("shop", PATHS[language], text, category)


def glued(language: str) -> Iterator[str]:
    """A document of each fragment of the format, and one of all of them."""
    yield from FRAGMENTS[language]
    yield "".join(FRAGMENTS[language])
    yield "".join(NASTY) + "".join(FRAGMENTS[language]) + "".join(reversed(NASTY))


@st.composite
def texts(draw: st.DrawFn, language: str) -> str:
    """A text made of fragments of the format and of what breaks careless code."""
    own = st.sampled_from(FRAGMENTS[language])
    parts = st.one_of(own, own, own, st.sampled_from(NASTY + PROSE), st.text(max_size=20))
    text = "".join(draw(st.lists(parts, max_size=8))) * draw(st.sampled_from([1, 1, 1, 3]))
    if draw(st.integers(0, 3)):
        return text
    start = draw(st.integers(0, len(text)))
    return text[start : draw(st.integers(start, len(text)))]
