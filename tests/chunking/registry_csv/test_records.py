"""Records of CSV files: the values that ``csv`` reads, with exact places."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.registry_csv.records import SEPARATORS, Field, inner_record, records, wraps_line

ANY = st.text(alphabet=st.sampled_from('ab ",;\t|\r\né€😀'), max_size=40)


def _expected(text: str, separator: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def _sliced(text: str, field: Field) -> str:
    return "".join(text[part.start : part.end] for part in field.parts)


@given(ANY, st.sampled_from(SEPARATORS))
@example('a,"b""c"d,"e\r\nf"\r\n\r\n,', ",")
@example('"a"x"y",z', ",")
def test_records_are_those_of_the_csv_module_and_every_value_stands_where_it_says(
    text: str, separator: str
) -> None:
    try:
        found = list(records(text, separator))
    except UnparsableError:
        with pytest.raises(csv.Error):
            list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
        return
    assert [[field.value for field in record.fields] for record in found] == _expected(text, separator)
    places = [place for record in found for place in (record.start, record.end)]
    assert places == sorted(places)
    for record in found:
        for field in record.fields:
            assert record.start <= field.start <= field.end <= record.end
            assert _sliced(text, field) == field.value
            assert [text[field.place(at)] for at in range(len(field.value))] == list(field.value)


def test_a_quote_that_is_never_closed_is_refused_with_its_line() -> None:
    with pytest.raises(UnparsableError, match=r"^line 3: a quote is opened and never closed"):
        list(records('a,b\n1,2\n3,"x\n5,6\n', ","))


LINE = '"2,Amsterdam,""Museum, oud"",""a""""b"",zie ""x"", einde";;\n'


def test_a_line_in_quotes_is_read_inside_and_surplus_cells_belong_to_the_last() -> None:
    (record,) = records(LINE, ";")
    inner = inner_record(record, ",", columns=5)
    assert [field.value for field in inner.fields] == [
        "2",
        "Amsterdam",
        "Museum, oud",
        'a"b',
        'zie "x", einde',
    ]
    assert [_sliced(LINE, field) for field in inner.fields] == [field.value for field in inner.fields]


@given(st.lists(st.text(alphabet='ab ",;\né', max_size=6), min_size=1, max_size=5))
def test_cells_put_in_quotes_twice_come_back(cells: list[str]) -> None:
    once, twice = io.StringIO(), io.StringIO()
    csv.writer(once, lineterminator="").writerow(cells)
    csv.writer(twice, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow([once.getvalue()])
    text = twice.getvalue()
    (record,) = records(text, ",")
    inner = inner_record(record, ",", len(cells))
    assert [field.value for field in inner.fields] == cells
    assert all(_sliced(text, field) == field.value for field in inner.fields)


def test_a_record_of_several_cells_is_not_a_line_in_quotes() -> None:
    first, second = records('"a,b",c\n"a"b\n', ",")
    assert not wraps_line(first)
    assert not wraps_line(second)
    assert inner_record(first, ",") == first
