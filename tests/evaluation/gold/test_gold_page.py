"""docs/gold.md describes every route as the routes describe themselves."""

from __future__ import annotations

from pathlib import Path

from chunk_pipeline.evaluation.gold.mining import ROUTES

PAGE = (Path(__file__).parents[3] / "docs" / "gold.md").read_text(encoding="utf-8")


def test_the_page_names_every_route_with_what_it_asks() -> None:
    rows = [line.split(" | ")[:2] for line in PAGE.splitlines() if line.startswith("| `")]
    assert rows == [[f"| `{route.name}`", route.asks] for route in ROUTES]
