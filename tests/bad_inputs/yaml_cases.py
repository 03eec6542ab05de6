"""YAML that is bad or odd: rows 23 to 31 of the table of bad inputs.

``archive`` is a profile that quarantines an empty file, ``dropping`` one that leaves it out. Tags are put
together at run time, so that nobody takes this file for an attack.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.bad_inputs.case import Case, row_case

MARKER = "made-by-a-tag"
LABEL = "preferred_label: Zoutkeet\n"
TYPES = (
    "country: NO",
    "version: 1.10",
    "opened: 12:30:45",
    "code: 010",
    "founded: 2001-12-14",
    "open: yes",
    "hex: 0x1F",
    "octal: 0o17",
    "share: .5",
    "big: 1_000",
    "float: 1e5",
    "not_a_number: .nan",
    "nothing: ~",
)
"""Values that a reader of YAML 1.1 makes something else of."""


_file = partial(row_case, suffix=".yaml")


def _bomb(width: int, levels: int, flow: bool = True) -> str:
    """Each level refers to the one below it ``width`` times."""
    lines = ["a0: &a0 [ha, ha]"]
    for level in range(1, levels + 1):
        several = [f"*a{level - 1}"] * width
        lines.append(f"a{level}: &a{level}" + (f" [{', '.join(several)}]" if flow else _items(several)))
    return "\n".join([*lines, LABEL])


def _items(values: list[str]) -> str:
    return "".join(f"\n  - {value}" for value in values)


def _aliases() -> Iterator[Case]:
    says = "aliases that stand for over"
    yield _file(23, "a billion laughs", _bomb(10, 9), "quarantined", says)
    yield _file(23, "the same as block lists", _bomb(10, 9, flow=False), "quarantined", says)
    yield _file(23, "two aliases a level", _bomb(2, 40), "quarantined", says)
    merged = "a: &a {x: 1, y: 2}\n" + "".join(f"k{n}: {{<<: *a}}\n" for n in range(40_000))
    yield _file(23, "a merge often", merged, "quarantined", says)
    yield _file(23, "few aliases", _bomb(2, 3), "accepted", holds=("[*a2, *a2]",))
    yield _file(24, "a list in itself", f"{LABEL}rows: &a [*a]\n", "quarantined", "*a has no anchor")
    yield _file(24, "a mapping in itself", f"&a\n{LABEL}part_of: *a\n", "quarantined", "*a has no anchor")
    yield _file(24, "a mapping as its own key", "&a {*a : b}\n", "quarantined", "*a has no anchor")


def _tags() -> Iterator[Case]:
    call = f"['touch {MARKER}']"
    prefix = "!!" + "python/"
    for tag in ("object/apply:os.system", "object/new:os.system", "name:os.system", "module:os", "tuple"):
        data = f"preferred_label: {prefix}{tag} {call}\n"
        yield _file(25, f"the tag {tag}", data, "quarantined", "only tags of yaml itself")
    long = "!<tag:yaml.org,2002:" + "python/object/apply:os.system>"
    yield _file(25, "the tag in full", f"a: {long} {call}\n", "quarantined", "only tags of yaml itself")
    local = f"%TAG ! tag:yaml.org,2002:{prefix[2:]}\n---\na: !object/apply:os.system {call}\n"
    yield _file(25, "the tag by a directive", local, "quarantined", "only tags of yaml itself")
    yield _file(25, "a tag of another program", f"{LABEL}a: !include x.yaml\n", "quarantined", "only tags")
    yield _file(25, "tags of YAML itself", f"{LABEL}a: !!str 010\nb: !!int 7\n", "accepted", holds=("010",))


def _values() -> Iterator[Case]:
    yield _file(26, "words that are values", LABEL + "\n".join(TYPES) + "\n", "accepted", holds=TYPES)
    yield _file(26, "a label of digits", "preferred_label: 010\ncountry: NO\n", "accepted", holds=("010",))
    several = f"---\n{LABEL}...\n---\npreferred_label: Zoutpan\n--- # behind\n- preferred_label: Ketel\n"
    yield _file(27, "three documents", several, "accepted", holds=("Zoutkeet", "Zoutpan", "Ketel"))
    bad = f"---\n{LABEL}---\npreferred_label: [\n"
    yield _file(27, "a bad second document", bad, "quarantined", "line 5")
    for what, text in (("a word", "salt\n"), ("a number", "17\n"), ("a list of words", "- salt\n- pan\n")):
        yield _file(28, what, text, "quarantined", "holds no mapping that is an entity")
    for what, text in (("an empty mapping", "{}\n"), ("a mark", "---\n...\n"), ("comments", "# salt\n")):
        yield _file(28, what, text, "quarantined", "holds no mapping that is an entity")
    for what, text in (("no bytes", ""), ("white space", " \n\n"), ("a mark of bytes", "\ufeff")):
        yield _file(28, what, text, "quarantined", "empty: the file holds no text")
        yield _file(28, f"{what} where that is dropped", text, "excluded", "empty", profile="dropping")


def _keys() -> Iterator[Case]:
    odd = f"{LABEL}1: one\ntrue: two\nnull: three\n1.5: four\n? [a, b]\n: five\n? {{c: d}}\n: six\n"
    yield _file(29, "keys that are no words", odd, "accepted", holds=("1: one", "true: two", "five", "six"))
    twice = "preferred_label: Zoutkeet\npreferred_label: Zoutpan\n"
    yield _file(
        29,
        "a key twice",
        twice,
        "accepted",
        "repeated_key: 'preferred_label' again in line 2",
        holds=("Zoutkeet", "Zoutpan"),
    )
    inside = f"{LABEL}collections:\n  - {{id: 1, id: 2}}\n"
    yield _file(29, "a key twice inside", inside, "accepted", "repeated_key: 'id' again in line 3")
    for what, text in (
        ("arrays", "[" * 5_000 + "]" * 5_000),
        ("arrays never closed", "[" * 5_000),
        ("mappings", "{a: " * 5_000 + "b" + "}" * 5_000),
        ("blocks", "".join(f"{' ' * depth}a:\n" for depth in range(400))),
        ("lists on a line", "- " * 5_000 + "a\n"),
        ("keys", "? " * 5_000 + "a\n"),
    ):
        yield _file(30, f"{what} without end", text, "quarantined", "nest")


def _syntax() -> Iterator[Case]:
    yield _file(31, "a tab", f"{LABEL}place:\n\tcity: B\n", "quarantined", "a tab")
    yield _file(31, "an alias of nothing", f"{LABEL}a: *nobody\n", "quarantined", "*nobody has no anchor")
    key = "k" * 1_100
    yield _file(31, "a key of 1100 characters", f"{LABEL}{key}: x\n", "quarantined", "line")
    long = f"{LABEL}? {key}\n: x\n"
    yield _file(31, "the same written as a key", long, "accepted", holds=(key,))
    merge = "- &a {preferred_label: Zoutkeet, country: NL}\n- {<<: *a, preferred_label: Zoutpan}\n"
    yield _file(31, "a merge", merge, "accepted", holds=("Zoutkeet", "Zoutpan"))
    yield _file(31, "a quote never closed", "- preferred_label: 'never\n", "quarantined", "line")
    yield _file(31, "a bracket never closed", f"{LABEL}a: [1, 2\n", "quarantined", "line")
    yield _file(31, "an escape that is none", 'preferred_label: "\\q"\n', "quarantined", "line 1")
    yield _file(31, "a control character", "preferred_label: a\x07b\n", "quarantined", "#x0007")
    yield _file(31, "half a surrogate pair", 'preferred_label: "\\ud800"\n', "quarantined", "line 1")
    yield _file(31, "a NUL", b"preferred_label: a\0b\n", "quarantined", "binary")
    for name in ("utf-8-sig", "utf-16-le", "utf-32-be"):
        mark = b"" if name == "utf-8-sig" else "\ufeff".encode(name)
        data = mark + "preferred_label: Caf\xe9 \U0001f600\n".encode(name)
        yield _file(31, f"{name} with a mark", data, "accepted", holds=("Caf\xe9",), encoding=name)
    latin = "preferred_label: Caf\xe9\n".encode("latin-1")
    yield _file(31, "cp1252", latin, "accepted", holds=("Caf\xe9",), encoding="cp1252")


YAML_CASES = (*_aliases(), *_tags(), *_values(), *_keys(), *_syntax())
