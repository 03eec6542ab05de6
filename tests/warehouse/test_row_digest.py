"""The digest of rows follows their values and types, whatever Arrow's layout of them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.warehouse.row_digest import row_digest
from chunk_pipeline.warehouse.tables import TABLES, Table

SCHEMA = pa.schema(
    {
        "text": pa.large_string(),
        "number": pa.int32(),
        "flag": pa.bool_(),
        "spans": pa.list_(pa.struct({"start": pa.int64(), "end": pa.int64()})),
        "facts": pa.struct({"code": pa.string(), "kinds": pa.list_(pa.string())}),
        "attributes": pa.map_(pa.string(), pa.string()),
        "vector": pa.list_(pa.float32(), 2),
    }
)
TEXTS = st.one_of(st.none(), st.text(max_size=4))
ROWS = st.fixed_dictionaries(
    {
        "text": TEXTS,
        "number": st.one_of(st.none(), st.integers(-5, 5)),
        "flag": st.one_of(st.none(), st.booleans()),
        "spans": st.one_of(
            st.none(),
            st.lists(st.fixed_dictionaries({"start": st.integers(0, 3), "end": st.none()}), max_size=2),
        ),
        "facts": st.one_of(
            st.none(),
            st.fixed_dictionaries(
                {"code": TEXTS, "kinds": st.one_of(st.none(), st.lists(TEXTS, max_size=2))}
            ),
        ),
        "attributes": st.one_of(
            st.none(), st.lists(st.tuples(st.text(max_size=2), TEXTS), max_size=2).map(list)
        ),
        "vector": st.one_of(st.none(), st.lists(st.floats(width=32), min_size=2, max_size=2)),
    }
)


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(ROWS, max_size=6), before=st.lists(ROWS, max_size=3), cut=st.integers(0, 6))
def test_slices_and_chunks_and_what_lies_under_nulls_do_not_matter(
    rows: list[dict[str, object]], before: list[dict[str, object]], cut: int
) -> None:
    whole = pa.Table.from_pylist(rows, schema=SCHEMA)
    surrounded = pa.Table.from_pylist([*before, *rows, *before], schema=SCHEMA)
    sliced = surrounded.slice(len(before), len(rows))
    pieces = pa.concat_tables([sliced.slice(0, cut), sliced.slice(cut)])
    assert row_digest(whole) == row_digest(sliced) == row_digest(pieces)


def test_a_masked_value_does_not_matter() -> None:
    plain = pa.table({"n": pa.array([1, None], pa.int32())})
    masked = pa.table({"n": pa.Array.from_buffers(pa.int32(), 2, [pa.py_buffer(b"\1"), *_two_numbers()])})
    assert masked["n"].to_pylist() == [1, None]
    assert row_digest(plain) == row_digest(masked)


def _two_numbers() -> list[pa.Buffer]:
    return [pa.array([1, -1], pa.int32()).buffers()[1]]


@settings(max_examples=150, deadline=None)
@given(one=st.lists(ROWS, max_size=4), other=st.lists(ROWS, max_size=4))
def test_other_values_have_another_digest(
    one: list[dict[str, object]], other: list[dict[str, object]]
) -> None:
    first, second = (pa.Table.from_pylist(rows, schema=SCHEMA) for rows in (one, other))
    if first.equals(second):
        assert row_digest(first) == row_digest(second)
    elif str(first.to_pylist()) != str(second.to_pylist()):  # NaN equals nothing, -0.0 equals 0.0
        assert row_digest(first) != row_digest(second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["ab", "c"], ["a", "bc"]),
        ([None, "a"], ["a", None]),
        (["", None], [None, ""]),
        ([], [None]),
    ],
)
def test_where_values_end_and_which_are_null_matters(one: list[str | None], other: list[str | None]) -> None:
    first, second = (pa.table({"text": pa.array(values, pa.string())}) for values in (one, other))
    assert row_digest(first) != row_digest(second)


def test_names_and_types_matter() -> None:
    numbers = pa.table({"n": pa.array([1], pa.int32())})
    assert row_digest(numbers) != row_digest(numbers.rename_columns(["m"]))
    assert row_digest(numbers) != row_digest(numbers.cast(pa.schema({"n": pa.int64()})))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_has_columns_that_can_be_digested(table: Table) -> None:
    assert len(row_digest(table.empty())) == 64
