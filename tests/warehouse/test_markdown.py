from __future__ import annotations

import pytest

from chunk_pipeline.warehouse.markdown import markdown_cell, markdown_table


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a|b\nc", "a\\|b\\\\nc"),
        ("\x1b[31mred", "\\\\x1b\\[31mred"),
        ("user\u202egnp.exe", "user\\\\u202egnp.exe"),
        ("[click](javascript:x)", "\\[click\\](javascript:x)"),
    ],
)
def test_text_of_sources_cannot_act_in_a_cell(hostile: str, shown: str) -> None:
    assert markdown_cell(hostile) == shown


def test_a_long_cell_is_cut() -> None:
    assert markdown_cell("x" * 1000) == "x" * 79 + "…"


def test_rows_become_a_table() -> None:
    table = markdown_table([{"name": "a", "size": 0.5}, {"name": None, "size": 2}])
    assert table.splitlines() == ["| name | size |", "| --- | --- |", "| a | 0.5 |", "|  | 2 |"]


def test_no_rows_say_so() -> None:
    assert markdown_table([]) == "(no rows)"
