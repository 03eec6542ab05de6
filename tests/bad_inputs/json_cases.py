"""JSON that is bad or odd: rows 1 to 22 of the table of bad inputs.

``wide`` is a profile that keeps files of one long line, ``narrow`` that of the study, which drops them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from tests.bad_inputs.case import Case, row_case

CAP = 200_000
"""Bytes that both profiles keep."""

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n"


_file = partial(row_case, suffix=".json", profile="wide")


def _nested(depth: int, opening: str = "[", closing: str = "]", value: str = '"deepest"') -> str:
    return opening * depth + value + closing * depth


def _too_deep() -> Iterator[Case]:
    yield _file(1, "arrays 5000 deep", _nested(5_000), "quarantined", "too deep")
    yield _file(1, "objects 5000 deep", _nested(5_000, '{"a":', "}"), "quarantined", "too deep")
    yield _file(1, "arrays 1025 deep", _nested(1_025), "quarantined", "too deep")
    yield _file(1, "100000 arrays never closed", "[" * 100_000, "quarantined", "too deep")
    for depth in (255, 1_000, 1_024):
        yield _file(2, f"arrays {depth} deep", _nested(depth), "accepted", holds=('"deepest"',))
    yield _file(2, "objects 1024 deep", _nested(1_024, '{"a":', "}"), "accepted", holds=('"deepest"',))


def _numbers() -> Iterator[Case]:
    for literal in ("NaN", "Infinity", "-Infinity", "nan"):
        yield _file(3, literal, f'{{"a": {literal}}}', "quarantined", "line 1, column")
    for literal in ("1e999", "-1e999", "123123e100000"):
        yield _file(4, literal, f'{{"a": [{literal}]}}', "quarantined", "infinity")
    yield _file(5, "a number of 5000 digits", f'{{"n": {"9" * 5_000}}}', "quarantined", "infinity")
    for literal in (str(2**64), "123456789012345678901234567890", "-" + "7" * 40, "1e-400", "0." + "1" * 60):
        yield _file(6, f"the number {literal[:24]}", f'{{"n": {literal}}}', "accepted", holds=(literal,))


def _text() -> Iterator[Case]:
    yield _file(7, "a name twice", '{"a": "first", "a": "second"}', "accepted", holds=("first", "second"))
    yield _file(
        7,
        "a name twice inside, once escaped",
        '{"x": [{"k": "first", "\\u006b": "second", "k": "third"}]}',
        "accepted",
        holds=("first", "second", "third"),
    )
    yield _file(8, "half a surrogate pair escaped", r'{"a": "\ud800"}', "quarantined", "surrogate")
    yield _file(8, "half a surrogate pair as bytes", b'{"a": "\xed\xa0\x80"}', "quarantined", "not utf-8")
    salt = '{"salt": "zoutkeet é 😀"}'
    yield _file(
        9, "UTF-8 with a mark", salt.encode("utf-8-sig"), "accepted", holds=("😀",), encoding="utf-8-sig"
    )
    for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        data = ("\ufeff" + salt).encode(name)
        yield _file(10, f"{name} with a mark", data, "accepted", holds=("é 😀",), encoding=name)
    yield _file(10, "utf-16-le without a mark", '{"a": 1}'.encode("utf-16-le"), "quarantined", "nul")
    yield _file(10, "utf-16 cut off", salt.encode("utf-16")[:-1], "quarantined", "not utf-16")
    yield _file(11, "a byte that is not UTF-8", b'{"a": "caf\xe9"}', "quarantined", "at byte 10")
    yield _file(11, "a character cut off", '{"a": "é"}'.encode()[:-3], "quarantined", "not utf-8")
    yield _file(12, "an escaped NUL", r'{"a": "x\u0000y"}', "accepted", holds=(r"x\u0000y",))
    yield _file(12, "a NUL", b'{"a": "x\0y"}', "quarantined", "binary")


def _almost_json() -> Iterator[Case]:
    yield _file(13, "a comment", '// tsconfig\n{"a": 1}', "quarantined", "line 1, column 1")
    yield _file(13, "a comment in a block", '{/* why */ "a": 1}', "quarantined", "line 1, column 2")
    yield _file(13, "a comma too many", '{"a": 1,}', "quarantined", "trailing comma")
    yield _file(13, ".babelrc", "{presets: []}", "excluded", "excluded_filename", path=".babelrc")
    lines = '{"salt": "one"}\n\n{"b": ["two"]}\r\n'
    yield _file(14, "a record a line", lines, "accepted", holds=("one", "two"))
    yield _file(14, "scalars a line", '"one"\n2\nnull\n', "accepted", holds=('"one"', "2", "null"))
    yield _file(14, "two documents on a line", '{"a": 1} {"b": 2}', "quarantined", "column 10")
    yield _file(14, "something behind it", '{"a": 1}\nthe end', "quarantined", "line 2")
    yield _file(14, "one bad line", '{"a": 1}\n{"b": }\n{"c": 2}\n', "quarantined", "line 2")
    yield _file(15, "no bytes", "", "excluded", "empty")
    yield _file(15, "white space", " \r\n\t", "excluded", "empty")
    yield _file(15, "a mark alone", b"\xef\xbb\xbf", "excluded", "empty")
    for value in ('"salt"', "17", "-0.5e3", "true", "null"):
        name = f"{value} alone".replace('"', "")
        yield _file(16, name, f" {value}\n", "accepted", holds=(value,))
    yield _file(16, "an empty array", "[]", "excluded", "empty document")
    yield _file(16, "an empty object", " { }\n", "excluded", "empty document")


def _shapes() -> Iterator[Case]:
    for name in ("", "/", ".", "~", "::", "line\nbreak", 'q"q', "~1/", "a.b[0]", "\u2028", "\x85", "../../x"):
        shown = json.dumps(name)[1:-1] or "nothing"
        data = json.dumps({name: {"salt": "pan"}}, ensure_ascii=False)
        case = f"the name {shown}".replace("/", "slash")
        yield _file(
            17, case, data, "accepted", holds=('"pan"',), path=f"i18n/row17-{name.encode().hex()}.json"
        )
    value = json.dumps("x" * 190_000)
    yield _file(18, "a value of 190000 characters", f'{{"a": {value}}}', "accepted", holds=(value,))
    yield _file(
        18, "the same for a narrow profile", f'{{"b": {value}}}', "excluded", "long_line", profile="narrow"
    )
    flat = {f"key {n}": [n, {"deep": "ü" * 10}] for n in range(3_900)}
    minified = json.dumps(flat, separators=(",", ":"), ensure_ascii=False)
    yield _file(19, "190000 characters on a line", minified, "accepted", holds=('"key 3899"',))
    yield _file(19, "the same for a narrow profile", minified, "excluded", "long_line", profile="narrow")
    for size in (CAP - 1, CAP):
        yield _file(20, f"{size} bytes", _sized(size), "accepted", holds=('"end"',))
    yield _file(20, f"{CAP + 1} bytes", _sized(CAP + 1), "excluded", "file_too_large")
    for value in ("// x :: y", "// narrow/row21.json :: a\n{}"):
        literal = json.dumps(value)
        name = f"a value like a header {len(value)}"
        yield _file(21, name, f'{{"a": {literal}}}', "accepted", holds=(literal,))
    yield _file(21, "nothing but such a value", '"// x :: y"', "accepted", holds=('"// x :: y"',))
    yield _file(22, "a pointer to a large file", LFS, "excluded", "lfs_pointer")


def _sized(size: int) -> bytes:
    """JSON of so many bytes, most of them white space."""
    start, end = b'{"a": [', b'"end"]}'
    line = b" " * 99 + b"\n"
    body = line * ((size - len(start) - len(end)) // len(line))
    return start + body + b" " * (size - len(start) - len(body) - len(end)) + end


JSON_CASES = (*_too_deep(), *_numbers(), *_text(), *_almost_json(), *_shapes())
