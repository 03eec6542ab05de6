"""HTML, XML and Markdown that is bad or odd: rows 44 to 49, 51 and 52 of the table of bad inputs.

``archive`` is a profile that reads web pages, ``dropping`` the same that drops what is empty, ``code`` one
that takes all text. The patterns of row 50 are in ``pathological``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.bad_inputs.case import Case, row_case

HELD = "The salt museum keeps its kettles under the roof."
UNSEEN = "what-nobody-sees"
"""Stands where a reader of the page does not see it."""

HIDDEN = {
    "a script": f"<script>var a = '{UNSEEN}'</script>",
    "a script of data": f'<script type="text/template"><b>{UNSEEN}</b></script>',
    "a style": f"<style>.a:after {{ content: '{UNSEEN}' }}</style>",
    "a template": f"<template><p>{UNSEEN}</p></template>",
    "what is for no script": f"<noscript><p>{UNSEEN}</p></noscript>",
    "a hidden element": f"<p hidden>{UNSEEN}</p>",
    "a style that hides": f'<p style="display: none">{UNSEEN}</p>',
    "what is hidden from readers": f'<p aria-hidden="true">{UNSEEN}</p>',
    "a comment": f"<!-- {UNSEEN} -->",
    "a data address": f'<p><img alt="" src="data:text/plain,{UNSEEN}"></p>',
    "a handler": f'<p onclick="{UNSEEN}">Click.</p>',
}


def _page(body: str, head: str = "<title>Salt</title>") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body><h1>Salt</h1>{body}</body></html>"


_file = partial(row_case, suffix=".html")


def _deep() -> Iterator[Case]:
    for depth in (254, 20_000):
        page = "<div>" * depth + HELD
        yield _file(44, f"elements {depth} deep", page, "quarantined", "deep in each other")
    yield _file(44, "elements 150 deep", _page("<div>" * 150 + f"<p>{HELD}"), "accepted", holds=(HELD,))
    closed = _page("<b>" * 10_000 + "</b>" * 10_000 + f"<p>{HELD}</p>")
    yield _file(44, "elements 10000 deep and closed", closed, "quarantined", "deep in each other")


def _decoded() -> Iterator[Case]:
    declared = f'<?xml version="1.0" encoding="UTF-8"?>\n{_page(f"<p>{HELD} é</p>")}'
    yield _file(45, "a declaration of XML", declared, "accepted", suffix=".xhtml", holds=(HELD, "é"))
    latin = declared.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    encoding = "cp1252"
    yield _file(
        45, "a declaration of Latin-1", latin, "accepted", suffix=".xhtml", holds=("é",), encoding=encoding
    )
    yield _file(46, "a NUL byte", _page(f"<p>{HELD}\0</p>"), "quarantined", "binary: nul")
    yield _file(46, "a NUL reference", _page(f"<p>{HELD}</p><p>a&#0;b</p>"), "accepted", holds=(HELD,))
    lie = '<meta charset="utf-8"><title>Salt</title>'
    false = _page(f"<p>{HELD} Café Zoutkeet, geöffnet.</p>", lie).encode("cp1252")
    said = "cp1252 (declared utf-8, which does not fit)"
    yield _file(47, "a page that says UTF-8", false, "accepted", holds=("Café", "geöffnet"), encoding=said)
    old = _page("<p>Café Zoutkeet</p>", '<meta charset="latin1">')
    said = "utf-8 (declared cp1252, but it is UTF-8)"
    yield _file(47, "a page that says Latin-1", old, "accepted", holds=("Café",), encoding=said)
    strange = _page(f"<p>{HELD}</p>", '<meta charset="klingon">')
    said = "utf-8 (declared 'klingon', which is no encoding of the web)"
    yield _file(47, "a page in no encoding", strange, "accepted", holds=(HELD,), encoding=said)


def _empty() -> Iterator[Case]:
    yield _file(48, "an empty page", "", "excluded", "empty", profile="dropping")
    yield _file(48, "a blank page", " \n\t\n", "excluded", "empty", profile="dropping")
    yield _file(48, "an empty page of an archive", "", "quarantined", "empty")
    yield _file(48, "a comment alone", "<!-- salt -->", "quarantined", "no element")
    yield _file(48, "a document type alone", "<!DOCTYPE html>", "quarantined", "no element")


def entity_bomb(root: str) -> str:
    """A document type whose last entity has a billion letters."""
    lines = ['<!ENTITY e0 "ha">', *(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))]
    return f'<?xml version="1.0"?><!DOCTYPE {root} [{"".join(lines)}]>'


def _entities() -> Iterator[Case]:
    bomb = f"{entity_bomb('html')}<html><body><p>{HELD} &e9;</p></body></html>"
    outside = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY own SYSTEM "file:///etc/passwd">]>'
    outside += f"<html><body><p>{HELD} &own;</p></body></html>"
    svg = f"{entity_bomb('svg')}<svg><text>{HELD} &e9;</text></svg>"
    yield _file(49, "an entity bomb", bomb, "accepted", suffix=".xhtml", holds=(HELD,))
    yield _file(49, "an entity from outside", outside, "accepted", suffix=".xhtml", holds=(HELD,))
    yield _file(49, "an entity bomb in a drawing", svg, "excluded", "binary", suffix=".svg", profile="code")
    yield _file(49, "an entity bomb in XML", svg, "accepted", suffix=".xml", holds=(HELD,), profile="code")
    yield _file(49, "an entity from outside in XML", outside, "accepted", suffix=".xml", profile="code")


def _markdown() -> Iterator[Case]:
    texts = {
        "a fence that is never closed": f"# Salt\n\n{HELD}\n\n```js\nconst a = 1\n",
        "a fence in a fence": f"# Salt\n\n```md\n```js\n{HELD}\n```\n```\n\nText.\n",
        "a longer fence around one": f"# Salt\n\n````md\n```js\n{HELD}\n```\n````\n",
        "fences of tildes": f"~~~\n{HELD}\n~~~\n\n~~~~\n~~~\n~~~~\n",
        "a fence of tildes that is never closed": f"~~~js\n{HELD}\n",
        "a fence in a list in a quote": f"> - a\n>   ```js\n>   {HELD}\n",
        "front matter": f"---\ntitle: Salt\ntags: [a, b]\n---\n\n# Salt\n\n{HELD}\n",
        "front matter that is never closed": f"---\ntitle: Salt\n\n{HELD}\n",
        "front matter that is no YAML": f"---\n: [\n---\n{HELD}\n",
        "nothing but front matter": f"---\ntitle: {HELD}\n---\n",
        "a rule that looks like front matter": f"---\n\n{HELD}\n\n---\n",
        "a line of 1 MB": f"# Salt\n\n{HELD} {'salt ' * 200_000}\n",
        "a fence of one line of 200 KB": f"```\n{HELD} {'x' * 200_000}\n```\n",
        "carriage returns": f"# Salt\r\r{HELD}\r",
    }
    for what, text in texts.items():
        yield _file(51, what, text, "accepted", suffix=".md", holds=(HELD,), profile="code")
    long = f"{HELD} {'salt ' * 2_100_000}\n"
    yield _file(51, "a line of 10 MB", long, "excluded", "file_too_large", suffix=".md", profile="ingestion")


def _unseen() -> Iterator[Case]:
    for what, markup in HIDDEN.items():
        yield _file(52, what, _page(f"<p>{HELD}</p>{markup}"), "accepted", holds=(HELD,))


MARKUP_CASES: tuple[Case, ...] = (*_deep(), *_decoded(), *_empty(), *_entities(), *_markdown(), *_unseen())
