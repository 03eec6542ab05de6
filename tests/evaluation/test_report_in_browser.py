"""The report in a browser without a network: it renders, and its script runs under its own content policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_page import CHROMIUM, browser
from test_report import report

from chunk_pipeline.evaluation.html import render_html


def test_the_page_renders_and_sorts_without_a_network(tmp_path: Path) -> None:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    file = tmp_path / "report.html"
    file.write_text(render_html(report()), encoding="utf-8")
    with browser(tmp_path) as page:
        page.open(file.as_uri())
        shown = page.ask("document.body.innerText")
        heading = 'document.querySelector(".summary th:nth-child(2)")'
        page.move_to(".summary th:nth-child(2) button", click=True)
        assert page.ask(f"{heading}.getAttribute('aria-sort')") == "ascending"
        assert page.logged == []
    assert shown.index("What to do") < shown.index("Use good. Sure: better than poor, beyond noise.")
