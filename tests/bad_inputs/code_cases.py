"""Code that is bad or odd: rows 53 and 54 of the table of bad inputs."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bad_inputs.case import Case

HELD = "keepTheKettles"


def _file(row: int, what: str, text: str, suffix: str, holds: tuple[str, ...] = (HELD,)) -> Case:
    path = f"row{row:02}/{what.replace(' ', '-').replace('/', '-')}{suffix}"
    return Case(f"row {row:02} {what}", path, text.encode(), "accepted", "", holds, "", "code")


def _deep() -> Iterator[Case]:
    for opening, closing, depth in (("(", ")", 50_000), ("[", "]", 50_000), ("{", "}", 5_000)):
        nested = opening * depth + closing * depth
        yield _file(53, f"{depth} of {opening} closed", f"{HELD}\nx = {nested}\n", ".js")
        yield _file(53, f"{depth} of {opening} open", f"{HELD}\nx = {opening * depth}", ".js")
    functions = "function f() {" * 2_000 + "}" * 2_000
    yield _file(53, "functions in functions", f"{HELD}()\n{functions}\n", ".js")
    elements = "<div>" * 5_000 + HELD + "</div>" * 5_000
    yield _file(53, "elements in elements", f"<template>{elements}</template>", ".vue")
    yield _file(53, "rules in rules", f"<style>.{HELD} {{}}\n{'a {' * 5_000}{'}' * 5_000}</style>", ".vue")


WHOLE = {
    "types": (
        "type A<T> = { a: T }\nenum B { keepTheKettles = 1 }\nconst c = <A<string>>d\n",
        ".ts",
    ),
    "elements in a script": ("export const A = () => <p title={keepTheKettles}>salt</p>\n", ".jsx"),
    "elements in a typed script": ("const A = (p: { a: string }) => <p>{p.a}{keepTheKettles}</p>\n", ".tsx"),
    "a hashbang": ("#!/usr/bin/env node\nkeepTheKettles()\n", ".js"),
    "minified": (
        "var a=1;" * 2_000 + "keepTheKettles();" + "function b(c){return c&&c.d?c.d:b(c)}" * 800,
        ".js",
    ),
    "a component with a typed script": (
        '<template><p/></template>\n<script setup lang="ts">\nconst keepTheKettles: number = 1\n</script>\n',
        ".vue",
    ),
    "a component with elements in its script": (
        '<script lang="tsx">\nexport default { render: () => <p>{keepTheKettles}</p> }\n</script>\n',
        ".vue",
    ),
    "a component of Pug": ('<template lang="pug">\ndiv.a\n  p keepTheKettles\n</template>\n', ".vue"),
    "a component of many blocks": (
        '<docs>\n# Salt\n</docs>\n<i18n>{}</i18n>\n<style lang="scss">\n'
        ".a { &:b { c: d } }\n.keepTheKettles { e: f }\n</style>\n",
        ".vue",
    ),
    "letters of all kinds": ("const é漢 = '\U0001f6a2 keepTheKettles \u202e'\n", ".js"),
    "JSON": ('{"keepTheKettles": [1, 2]}\n', ".js"),
}
"""What parses: by what it is, the text and the suffix."""

BROKEN = {
    "a file that was cut off": ("function a() {\n  keepTheKettles()\n  if (b) {\n", ".js"),
    "merge conflicts": ("<<<<<<< a\nkeepTheKettles()\n=======\nb()\n>>>>>>> c\n", ".js"),
    "prose": ("This is no code at all, keepTheKettles; or is it?\n" * 20, ".js"),
    "carriage returns alone": ("const a = 1\rkeepTheKettles()\r", ".js"),
    "types in a script without any": ("const keepTheKettles: number = <string>\n)", ".js"),
    "brackets that close nothing": ("keepTheKettles()\n}}}})))]]]\n" * 50, ".js"),
    "a quote that never ends": ("const a = 'keepTheKettles\nb()\n", ".js"),
    "a comment that never ends": ("keepTheKettles()\n/* b()\n", ".js"),
    "a component that was cut off": ("<template><div><p>keepTheKettles\n<script>\nconst a = {\n", ".vue"),
    "a component without blocks": ("keepTheKettles\n", ".vue"),
    "a component with a broken script": (
        "<template><p/></template>\n<script>\nkeepTheKettles( {\n</script>\n",
        ".vue",
    ),
}
"""What does not."""

CODE_CASES: tuple[Case, ...] = (
    *_deep(),
    *(_file(54, what, *made) for what, made in WHOLE.items()),
    *(_file(54, what, *made) for what, made in BROKEN.items()),
)
