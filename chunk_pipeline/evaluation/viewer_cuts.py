"""How one strategy cut one file, as the chunk viewer's script reads it: columns of numbers.

The script counts in UTF-16 code units, the tables in characters: offsets are converted here. Words are kept
once in a table of strings and named by their number. A column whose every value is 0 is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

LONGEST_WORDS = 4_000
"""Characters that are kept of a header, a wrapper or a body that was dumped again."""

Row = Mapping[str, Any]
Entry = dict[str, Any]


class Strings:
    """Texts numbered in the order of first sight; the empty one is 0."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}

    def number(self, text: str | None) -> int:
        """The text's number; nothing counts as empty, and a long text is cut short."""
        text = text or ""
        if len(text) > LONGEST_WORDS:
            text = text[: LONGEST_WORDS - 1] + "…"
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def all(self) -> list[str]:
        """Every text at its number."""
        return list(self._numbers)


class Units:
    """Offsets in characters → offsets in UTF-16 code units, up to where the shown part of a text ends."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._places: npt.NDArray[np.int64] | None = None
        if text and max(text) > "\uffff":
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
            self._places = np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF)))).astype(np.int64)

    def at(self, offset: int) -> int:
        """The offset in code units; the end of the shown part for an offset behind it."""
        offset = min(offset, self._length)
        return offset if self._places is None else int(self._places[offset])

    def shows(self, start: int) -> bool:
        """Whether what begins there is shown at all, be it in part."""
        return start < self._length


def cut_entry(number: int, rows: Sequence[Row], skips: Sequence[Row], text: str, strings: Strings) -> Entry:
    """A strategy's chunks and skips of a file.

    Args:
        number: The strategy's number.
        rows: Its rows of ``chunks`` for the file, in order.
        skips: Its rows of ``skips`` for the file.
        text: The text, or as much of it as is shown; chunks wholly behind it are left out.
        strings: Where words are kept.

    Returns:
        ``strategy``, ``total`` (chunks of the whole file), ``spans`` (for each chunk start, end, start, end,
        …), ``skips`` (start, end and the reason's number of each), and for each chunk, where any is not 0:
        ``chars``, ``tokens``, ``overlap`` (characters), ``broken``, ``indivisible`` (0 or 1), and the numbers
        of ``unit``, ``header``, ``opening``, ``closing``, ``fallback`` and ``body``, the last only where the
        body is not the span's text.
    """
    units = Units(text)
    shown = [row for row in rows if units.shows(row["spans"][0]["start"])]
    columns: dict[str, list[int]] = {
        "chars": [row["n_chars"] for row in shown],
        "tokens": [row["n_tokens"] for row in shown],
        "overlap": [row["overlap"] for row in shown],
        "broken": [int(not row["parses"]) for row in shown],
        "indivisible": [int(bool(row["metadata"]["indivisible"])) for row in shown],
        "unit": [strings.number(row["unit"]) for row in shown],
        "header": [strings.number(row["header"]) for row in shown],
        "opening": [strings.number(row["opening"]) for row in shown],
        "closing": [strings.number(row["closing"]) for row in shown],
        "fallback": [strings.number(row["metadata"]["fallback"]) for row in shown],
        "body": [strings.number(_other_body(row, text)) for row in shown],
    }
    return {
        "strategy": number,
        "total": len(rows),
        "spans": [_places(row["spans"], units) for row in shown],
        "skips": [
            [units.at(skip["start"]), units.at(skip["end"]), strings.number(skip["reason"])]
            for skip in skips
            if units.shows(skip["start"])
        ],
        **{name: values for name, values in columns.items() if any(values)},
    }


def _places(spans: Sequence[Row], units: Units) -> list[int]:
    shown = (span for span in spans if units.shows(span["start"]))
    return list(chain.from_iterable((units.at(span["start"]), units.at(span["end"])) for span in shown))


def _other_body(row: Row, text: str) -> str:
    """The body where it was dumped again from values; empty where it is the text that the span names."""
    first, *more = row["spans"]
    body: str = row["body"]
    if more or not text.startswith(body[: max(0, len(text) - first["start"])], first["start"]):
        return body
    return "" if len(body) == first["end"] - first["start"] else body
