"""What names of elements say of navigation, notices, footers and sidebars, by the families that use them."""

from __future__ import annotations

import pytest

from tests.chunking.website.website_pages import cut

LINKS = '<a href="/a">Bezoek</a> <a href="/b">Collectie</a>'
CONTENT = "<h1>Zoutmuseum</h1><p>Elke zaterdag wordt er gekookt.</p>"

FAMILIES = [
    # WordPress
    ("site-header", "navigation"),
    ("main-navigation", "navigation"),
    ("widget-area", "sidebar"),
    ("widget_area", "sidebar"),
    ("primary-sidebar widget-area", "sidebar"),
    ("footer-widgets", "footer"),
    ("site-footer", "footer"),
    ("skip-link screen-reader-text", "navigation"),
    ("breadcrumb-trail", "navigation"),
    # Drupal
    ("sidebar-first", "sidebar"),
    ("region region-sidebar-second", "sidebar"),
    ("region-breadcrumb", "navigation"),
    ("region region-footer", "footer"),
    # Bootstrap, and pages made by hand
    ("navbar navbar-expand-lg", "navigation"),
    ("navbar-collapse", "navigation"),
    ("breadcrumb", "navigation"),
    ("breadcrumbs", "navigation"),
    ("topnav", "navigation"),
    ("sidebar-left", "sidebar"),
    ("sidebarRight", "sidebar"),
    # Consent
    ("cookie-consent", "cookie notice"),
    ("gdpr", "cookie notice"),
    ("cookie-law-info-bar", "cookie notice"),
    ("CybotCookiebotDialog", "cookie notice"),
    ("onetrust-banner-sdk", "cookie notice"),
    ("cky-consent-bar", "cookie notice"),
]


@pytest.mark.parametrize(("names", "reason"), FAMILIES)
def test_what_is_named_as_chrome_is_left_out(names: str, reason: str) -> None:
    page = cut(f'<body><div class="{names}">{LINKS}</div><div class="text">{CONTENT}</div></body>')
    assert "Collectie" in page.skipped(reason)
    assert "gekookt" in "".join(chunk.body for chunk in page.chunks)


@pytest.mark.parametrize("names", ["menu-toggle", "navbar-toggler", "nav-toggle"])
def test_a_button_that_opens_a_menu_is_left_out(names: str) -> None:
    page = cut(f'<body><button class="{names}">Toon alles</button><div>{CONTENT}</div></body>')
    assert "Toon alles" in page.skipped("navigation")


@pytest.mark.parametrize("names", sorted({names for names, _ in FAMILIES}))
@pytest.mark.parametrize("tag", ["main", "article"])
def test_content_in_main_and_article_is_kept_whatever_it_is_named(tag: str, names: str) -> None:
    page = cut(f'<body><{tag}><h1>Kaart</h1><div class="{names}">{LINKS} en soep.</div></{tag}></body>')
    assert "soep" in "".join(chunk.body for chunk in page.chunks)


@pytest.mark.parametrize("names", sorted({names for names, _ in FAMILIES}))
@pytest.mark.parametrize("content", [CONTENT, "<main><p>Elke zaterdag wordt er gekookt.</p></main>"])
def test_what_holds_the_title_or_the_content_is_kept_whatever_it_is_named(names: str, content: str) -> None:
    page = cut(f'<body><div class="{names}">{content}</div></body>')
    assert "gekookt" in "".join(chunk.body for chunk in page.chunks)


@pytest.mark.parametrize(
    "names",
    [
        "menu",
        "menu-card",
        "lunch-menu",
        "has-sidebar",
        "content-sidebar-wrap",
        "page-with-sidebar",
        "widget",
        "area",
        "header",
        "first",
        "info",
        "region",
        "collapse",
        "trail",
        "entry-header",
        "cookies-bakken",
    ],
)
def test_words_that_content_uses_leave_nothing_out(names: str) -> None:
    page = cut(f'<body><h1>Eetcafé</h1><div class="{names}"><p>Soep van de dag, met brood.</p></div></body>')
    assert "Soep van de dag" in "".join(chunk.body for chunk in page.chunks)
