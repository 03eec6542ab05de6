"""Docling's private hooks, and what it makes of a stamped page."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from chunk_pipeline.conversion import html_docling
from chunk_pipeline.conversion.html_docling import (
    HOOKS,
    TESTED_VERSION,
    HtmlConversionError,
    HtmlItem,
    html_items,
)

PAGE = """<body data-stamp="b">voor<h1 data-stamp="h">Kop “één”</h1>
<p data-stamp="p">Een <b data-stamp="s">vet</b> woord</p><ul><li data-stamp="l">punt</li></ul>
<table data-stamp="t"><tr><td>cel</td></tr></table><h3 data-stamp="k">Diep</h3>
<pre data-stamp="c">code</pre></body>"""


def test_the_installed_docling_is_the_one_whose_hooks_are_known() -> None:
    from docling.backend.html_backend import HTMLDocumentBackend

    assert version("docling-slim") == TESTED_VERSION
    assert [name for name in HOOKS if not callable(getattr(HTMLDocumentBackend, name, None))] == []


def test_every_hook_is_called_so_that_every_item_has_the_stamp_of_its_element() -> None:
    assert html_items(PAGE) == (
        HtmlItem("text", 0, "b", "voor"),
        HtmlItem("title", 1, "h", 'Kop "één"'),
        HtmlItem("text", 0, "p", "Een"),
        HtmlItem("text", 0, "p", "vet"),
        HtmlItem("text", 0, "p", "woord"),
        HtmlItem("list_item", 0, "l", "punt"),
        HtmlItem("table", 0, "t", "cel"),
        HtmlItem("section_header", 3, "k", "Diep"),
        HtmlItem("code", 0, "c", "code"),
    )


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    html_docling._stamped_backend.cache_clear()
    monkeypatch.setattr(html_docling, "TESTED_VERSION", "0.0.0")
    with pytest.raises(HtmlConversionError, match=r"install that"):
        html_items(PAGE)
    html_docling._stamped_backend.cache_clear()


def test_a_page_that_docling_fails_on_is_named_as_such() -> None:
    with pytest.raises(HtmlConversionError, match="RecursionError"):
        html_items("<div>" * 600 + "x")


def test_images_and_links_are_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something is fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    page = '<img src="https://example.org/a.png" alt="foto"><a href="file:///etc/passwd">x</a>'
    assert {item.text for item in html_items(page)} >= {"foto", "x"}
