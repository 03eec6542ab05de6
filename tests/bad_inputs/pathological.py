"""Markdown that some parser takes the square of its length for, or all its stack: row 50 of the table.

Each function gives a text of about so many characters. The patterns are those that every implementation of
CommonMark has to think of: delimiters that are opened and never closed, or closed and never opened, nesting,
and tables of names that are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Make = Callable[[int], str]


def _repeated(unit: str) -> Make:
    return lambda size: unit * (size // len(unit))


def _mirrored(opening: str, closing: str) -> Make:
    return lambda size: opening * (size // 2 // len(opening)) + "x" + closing * (size // 2 // len(closing))


def _steps(line: Callable[[int], str]) -> Make:
    """Lines that are longer and longer."""
    return lambda size: "\n".join(line(step) for step in range(1, int((2 * size) ** 0.5)))


def _numbered(line: Callable[[int], str]) -> Make:
    return lambda size: "".join(line(number) for number in range(size // len(line(1_000))))


def _runs(size: int) -> str:
    return "".join("e" + "`" * run for run in range(1, int((2 * size) ** 0.5)))


def _nested_list(size: int) -> str:
    return "\n".join(" " * 2 * step + "* a" for step in range(int(size**0.5)))


def _long_name(size: int) -> str:
    name = "a" * (size // 2)
    return f"[{name}]: x\n\n[{name}]"


def _ragged_table(size: int) -> str:
    columns = size // 4
    return f"{'a|' * columns}a\n{'-|' * columns}-\n" + "b\n" * columns


def _wide_table(size: int) -> str:
    cells = size // 8
    return "".join(f"|{cell * cells}\n" for cell in ("a|", "-|", "b|", "c|"))


PATTERNS: Mapping[str, Make] = {
    "emphasis opened": _repeated("*a **a "),
    "emphasis closed": _repeated("a** a* "),
    "emphasis of three kinds": _repeated("a**b_c* "),
    "emphasis inside emphasis": _mirrored("*", "*"),
    "underscores inside words": _repeated("a_b__c "),
    "strikethrough": _repeated("~~a ~"),
    "brackets opened": _repeated("["),
    "brackets inside brackets": _mirrored("[", "]"),
    "brackets with letters": _repeated("[a"),
    "images opened": _repeated("!["),
    "links opened": _repeated("[a](b"),
    "links to what never ends": _repeated("[a](<b"),
    "links inside links": _mirrored("[a](", ")"),
    "references opened": _repeated("[a]["),
    "backticks in longer and longer runs": _runs,
    "backticks in pairs that do not fit": _repeated("`a``b```c````d"),
    "backticks alone": _repeated("`"),
    "tildes alone": _repeated("~"),
    "fences opened and closed": _repeated("```\n"),
    "fences of two kinds": _repeated("~~~\n```\n"),
    "fences longer and longer": _steps(lambda step: "`" * (step + 2)),
    "quotes deep": _repeated(">"),
    "quotes deep with spaces": _repeated("> "),
    "quotes deeper and deeper": _steps(lambda step: ">" * step + "a"),
    "lists deep on one line": _repeated("* "),
    "lists deeper and deeper": _nested_list,
    "numbered lists deep": _repeated("1. "),
    "many items": _repeated("* a\n"),
    "many definitions": _numbered(lambda number: f"[a{number}]: /b\n"),
    "one definition many times": _repeated("[a]: b\n"),
    "many definitions in use": _numbered(lambda number: f"[a{number}]: b\n\n[a{number}]\n\n"),
    "a name of a definition that never ends": _long_name,
    "many footnotes": _numbered(lambda number: f"[^{number}]: a\n\n[^{number}]\n\n"),
    "footnotes inside footnotes": _repeated("[^a]:"),
    "a wide table": _wide_table,
    "a long table": lambda size: "|a|b|\n|-|-|\n" + "|a|b|\n" * (size // 6),
    "a ragged table": _ragged_table,
    "tags opened": _repeated("<a "),
    "attributes opened": _repeated('<a b="'),
    "comments opened": _repeated("<!-- a "),
    "character data opened": _repeated("<![CDATA["),
    "declarations opened": _repeated("<!A "),
    "instructions opened": _repeated("<?"),
    "less than": _repeated("<"),
    "elements never closed": _repeated("<div>\n"),
    "headings of all levels": _repeated("# a\n## a\n### a\n#### a\n##### a\n###### a\n"),
    "a heading of marks": lambda size: "# " + "#" * size,
    "an underlined paragraph": lambda size: "a\n" * (size // 2) + "===",
    "rules": _repeated("***\n"),
    "front matter that is nested": lambda size: f"---\n{'a: [' * (size // 4)}\n---\n",
    "front matter that never ends": lambda size: "---\n" + "a: b\n" * (size // 5),
    "math opened": _repeated("$$\n"),
    "containers opened": _repeated("::: a\n"),
    "containers deeper and deeper": _steps(lambda step: ":" * (step + 2) + " a"),
    "backslashes": _repeated("\\"),
    "entities": _repeated("&a;"),
    "ampersands": _repeated("&"),
    "addresses opened": _repeated("<a@b.c"),
    "spaces": lambda size: "a" + " " * size + "b",
    "tabs": lambda size: "\t" * size + "a",
    "blank lines": lambda size: "a\n" + "  \n" * (size // 3) + "b",
    "one word": _repeated("a"),
    "marks on one letter": lambda size: "a" + "\u0301" * size,
    "joined emoji": _repeated("\U0001f468\u200d"),
    "sentences": _repeated("A b. "),
    "abbreviations": _repeated("Mr. "),
}
"""A text of a size, by what it is."""
