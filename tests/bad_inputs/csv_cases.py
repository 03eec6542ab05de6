"""CSV that is bad or odd: rows 32 to 43 of the table of bad inputs.

``archive`` is a profile that quarantines an empty file, ``dropping`` one that leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.bad_inputs.case import Case, row_case

HEADER = "Instelling,Plaats,Opmerking"
GOOD_ROW = "Zoutkeet,Waterkerk,open"
GOOD_BODY = "preferred_label: Zoutkeet\nsettlement: Waterkerk\nprovenance_note: open"
TEXTS = (
    "NA",
    "None",
    "null",
    "NaN",
    "00123",
    "1e5",
    "1_000",
    "TRUE",
    "-",
    "12:30",
    "2001-12-14",
    "0x1F",
    "1,5",
)
"""Cells that a reader of CSV makes something else of."""
FORMULAS = ("=cmd|' /C calc'!A0", "=1+1", "+31 20 123", "-1", "@SUM(A1)", "\t=1")


_file = partial(row_case, suffix=".csv")


def _table(*rows: str, header: str = HEADER, end: str = "\n") -> str:
    return end.join([header, *rows]) + end


def _separated(separator: str) -> str:
    return _table(GOOD_ROW, "Zoutpan,Zeedorp,dicht").replace(",", separator)


def _values() -> Iterator[Case]:
    rows = [f'Keet {n},Dorp,"{text}"' for n, text in enumerate(TEXTS)]
    shown = tuple(f"provenance_note: {text}" for text in TEXTS)
    yield _file(32, "cells that are values", _table(*rows), "accepted", holds=shown)
    labels = _table(*(f'"{text}",Dorp,' for text in TEXTS))
    shown = tuple(f"preferred_label: {text}" for text in TEXTS)
    yield _file(32, "labels that are values", labels, "accepted", holds=shown)
    for name, separator in (("semicolon", ";"), ("tab", "\t"), ("bar", "|")):
        data = _separated(separator)
        yield _file(33, f"separated by {name}", data, "accepted", holds=(GOOD_BODY, "settlement: Zeedorp"))
    yield _file(33, "separated by carets", _separated("^"), "quarantined", "no known column among")
    other = _table("1,2", header="first,second")
    yield _file(33, "columns that nobody knows", other, "quarantined", "no known column among")
    lacking = _table("A,Museum", header="description,institution_type")
    yield _file(33, "a required column lacks", lacking, "quarantined", "no known column among")
    yield _file(33, "no table at all", "Dear reader,\n\nsalt is salt.\n", "quarantined", "no known column")


def _encodings() -> Iterator[Case]:
    row = _table("Caf\xe9 Zout,Z\xfcrich,\u20ac 5")
    cafe = ("preferred_label: Caf\xe9 Zout", "Z\xfcrich", "\u20ac 5")
    yield _file(34, "cp1252", row.encode("cp1252"), "accepted", holds=cafe, encoding="cp1252")
    latin = _table("Caf\xe9,Z\xfcrich,").encode("latin-1")
    yield _file(34, "latin-1", latin, "accepted", holds=("Caf\xe9", "Z\xfcrich"), encoding="cp1252")
    neither = _table("Caf\xe9,,").encode("latin-1") + b"\x81\x8d,,\n"
    yield _file(34, "neither of the two", neither, "quarantined", "not cp1252")
    for name in ("utf-16-le", "utf-16-be", "utf-32-le"):
        data = ("\ufeff" + row.replace(",", "\t")).encode(name)
        yield _file(35, f"{name} with tabs", data, "accepted", holds=cafe, encoding=name)
    yield _file(35, "utf-16 without a mark", row.encode("utf-16-le"), "quarantined", "binary")


def _rows() -> Iterator[Case]:
    long = _table(GOOD_ROW, "Zoutpan,Zeedorp,dicht,meer,nog meer", "Ketel,Wadhuizen,")
    held: tuple[str, ...] = (GOOD_BODY, "column: nog meer", "preferred_label: Ketel")
    yield _file(36, "a long row", long, "accepted", "ragged_row: 5 cells, the header has 3", holds=held)
    short = _table(GOOD_ROW, "Zoutpan", "Ketel,Wadhuizen,")
    held = (GOOD_BODY, "preferred_label: Zoutpan", "preferred_label: Ketel")
    yield _file(36, "a short row", short, "accepted", "ragged_row: 1 cells, the header has 3", holds=held)
    for name, header in (
        ("a separator behind each row", HEADER),
        ("one behind the header too", f"{HEADER},"),
    ):
        data = _table(f"{GOOD_ROW},", "Zoutpan,Zeedorp,,", header=header)
        held = (GOOD_BODY, "preferred_label: Zoutpan\nsettlement: Zeedorp")
        yield _file(37, name, data, "accepted", holds=held)
    yield _file(
        38, "a quote never closed", _table(GOOD_ROW, 'Zoutpan,"Zee,'), "quarantined", "line 3: a quote"
    )
    last = f'{HEADER}\n{GOOD_ROW}\nZoutpan,Zeedorp,"'
    yield _file(38, "a quote at the end", last, "quarantined", "line 3: a quote")
    stray = _table('Zout"keet,Water"kerk",open', GOOD_ROW)
    yield _file(38, "quotes inside cells", stray, "accepted", holds=('Zout"keet', 'Water"kerk"', GOOD_BODY))
    for size in (131_072, 131_073):
        cell = f"begin {'zout ' * (size // 5)} einde"
        data = _table(f"Zoutkeet,Waterkerk,{cell}", "Ketel,Wadhuizen,")
        yield _file(39, f"a cell of {size}", data, "accepted", holds=("begin zout", "zout  einde", "Ketel"))


def _headers() -> Iterator[Case]:
    twice = _table("Zoutkeet,Zoutpan,x", header="Instelling,Instelling,Opmerking")
    yield _file(
        40,
        "a column twice",
        twice,
        "accepted",
        "slot_conflict: preferred_label is 'zoutkeet', instelling says 'zoutpan'",
        holds=("preferred_label: Zoutkeet", "Instelling: Zoutpan"),
    )
    unnamed = _table("Zoutkeet,x,y", header="Instelling,,")
    yield _file(40, "columns without a name", unnamed, "accepted", holds=("column: x", "column: y"))
    quoted = b"\xef\xbb\xbf" + _table(GOOD_ROW, header='"Instelling","Plaats","Opmerking"').encode()
    yield _file(40, "a mark and quotes", quoted, "accepted", holds=(GOOD_BODY,), encoding="utf-8-sig")
    broken = _table(GOOD_ROW, header='"Instel\nling",Plaats,Opmerking')
    yield _file(40, "a line break in a name", broken, "accepted", holds=(GOOD_BODY,))
    yield _file(41, "a header alone", f"{HEADER}\n", "excluded", "header row")
    yield _file(41, "a header alone without an end", HEADER, "excluded", "header row")
    for what, text in (("no bytes", ""), ("white space", "\r\n \n"), ("a mark", "\ufeff")):
        yield _file(41, what, text, "quarantined", "empty: the file holds no text")
        yield _file(41, f"{what} where that is dropped", text, "excluded", "empty", profile="dropping")
    yield _file(41, "separators alone", ",,\n,,\n", "quarantined", "no known column")


def _cells() -> Iterator[Case]:
    rows = [f'Keet {n},Dorp,"{text}"' for n, text in enumerate(FORMULAS)]
    shown = tuple(f"provenance_note: {text.strip()}" for text in FORMULAS)
    yield _file(42, "formulas", _table(*rows), "accepted", holds=shown)
    broken = _table('"Zout\nkeet",Waterkerk,"een\r\ntwee"', GOOD_ROW)
    yield _file(
        43, "line breaks in cells", broken, "accepted", holds=("Zout\nkeet", "een\r\ntwee", GOOD_BODY)
    )
    for name, end in (("CR", "\r"), ("CRLF", "\r\n"), ("LF", "\n")):
        data = _table(GOOD_ROW, "Zoutpan,Zeedorp,dicht", end=end)
        held = (GOOD_BODY, "settlement: Zeedorp\nprovenance_note: dicht")
        yield _file(43, f"lines ended by {name}", data, "accepted", holds=held)
    mixed = f"{HEADER}\r{GOOD_ROW}\r\nZoutpan,Zeedorp,dicht\nKetel,Wadhuizen,"
    yield _file(43, "lines ended by all three", mixed, "accepted", holds=(GOOD_BODY, "settlement: Wadhuizen"))
    yield _file(43, "a NUL", _table("Zout\0keet,,"), "quarantined", "binary")
    odd = _table("Zout\u2028keet,Water\x0bkerk,o\x85pen")
    yield _file(43, "other breaks in cells", odd, "accepted", holds=("Zout\u2028keet", "Water\x0bkerk"))


CSV_CASES = (*_values(), *_encodings(), *_rows(), *_headers(), *_cells())
