"""The report in a browser without a network: it renders, and its script runs under its own content policy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from test_report import report

from chunk_pipeline.evaluation.html import render_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OFFLINE = ("--proxy-server=127.0.0.1:9", "--disable-background-networking", "--disable-component-update")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")

SORTED = """<script>
document.querySelector(".summary th:nth-child(2) button").click();
document.body.dataset.sorted = document.querySelector(".summary th:nth-child(2)").getAttribute("aria-sort");
</script></body>"""
"""A click on a heading, by a script behind the page's own."""


def test_the_page_renders_and_sorts_without_a_network(tmp_path: Path) -> None:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    page = tmp_path / "report.html"
    page.write_text(render_html(report()).replace("</body>", SORTED), encoding="utf-8")
    shown = subprocess.run(
        [CHROMIUM, *QUIET, *OFFLINE, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert '<h2 id="do">What to do</h2>' in shown
    assert 'data-sorted="ascending"' in shown
    assert shown.index("What to do") < shown.index("Use good. Sure: better than poor, beyond noise.")
