"""``docs/reference.md`` shows what its queries give on the catalog of the reference study."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
CATALOG = ROOT / "data" / "reference" / "chunk_pipeline.duckdb"
SHOWN = re.findall(r"```sql\n(.*?)```\n\n((?:\|[^\n]*\n)+)", PAGE, flags=re.DOTALL)


def cells(table: str) -> list[list[str]]:
    """Rows of a Markdown table, its heading first, without the rule below that."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return [rows[0], *rows[2:]]


def test_every_query_has_its_table() -> None:
    assert len(SHOWN) == PAGE.count("```sql") == 5


@pytest.mark.parametrize(("query", "table"), SHOWN, ids=range(len(SHOWN)))
def test_a_table_is_what_its_query_gives(query: str, table: str) -> None:
    if not CATALOG.exists():
        pytest.skip("run 'make reference' first: it makes the catalog that the page shows")
    with duckdb.connect(str(CATALOG.resolve()), read_only=True) as connection:
        result = connection.execute(query)
        names = [column[0] for column in result.description or ()]
        rows = [[str(value) for value in row] for row in result.fetchall()]
    assert cells(table) == [names, *rows], "run 'make reference', then mend the page"
