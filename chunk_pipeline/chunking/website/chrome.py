"""What of a page is not its content: navigation, footer, sidebar, notices, hidden text and scripts.

Told by the tree alone: by tags, ARIA roles (https://www.w3.org/TR/wai-aria-1.2/#landmark_roles) and the words
of ``id`` and ``class``. Inside ``main`` and ``article`` only what is outright navigation or hidden is left
out, and nothing is left out that holds one of them, or that is short of links. Style sheets are not read.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from chunk_pipeline.chunking.website.page import Element, Page, Places

NAVIGATION, FOOTER, SIDEBAR, COOKIES = "navigation", "footer", "sidebar", "cookie notice"
HIDDEN, SCRIPT, TITLE = "hidden", "script", "title"

_SCRIPTS = frozenset({"script", "style", "template", "noscript"})
_NEVER_SHOWN = frozenset({"iframe", "noembed", "noframes"})
_CONTENT = frozenset({"main", "article"})
_ROLES = {
    "navigation": NAVIGATION,
    "menubar": NAVIGATION,
    "menu": NAVIGATION,
    "contentinfo": FOOTER,
    "complementary": SIDEBAR,
}
_TAGS = {"nav": NAVIGATION, "footer": FOOTER, "aside": SIDEBAR}
_HOLDS_FOR_ALL = frozenset({NAVIGATION})
"""What is left out inside ``main`` and ``article`` too, where a tag or role says so."""

_WORDS = {
    COOKIES: "cookie cookies cookiebar cookiebanner cookieconsent cookienotice cookiemelding consent gdpr "
    "rgpd dsgvo cookiebot cookieyes cky cmplz onetrust klaro",
    NAVIGATION: "nav navbar navigation navigatie navi menu topmenu mainmenu hoofdmenu submenu hauptmenu "
    "breadcrumb breadcrumbs kruimelpad ariane pagination pager skip skiplink skiplinks skipnav topbar "
    "topnav subnav sidenav mainnav sitenav topnavigation mainnavigation megamenu",
    FOOTER: "footer sitefooter pagefooter voettekst fusszeile subfooter",
    SIDEBAR: "sidebar zijbalk seitenleiste",
}
_AROUND_NAMES = """
a area background banner bar block body bottom box center col column container content desktop
dialog fixed global header holder horizontal inner items left level link links list main message
mobile modal notice outer overlay page pane panel popup primary region right row secondary section
side site static sticky text the to top vertical widget widgets wrap wrapper js is has uk md lg sm
xs bg
toggle toggler toggles collapse trail region first second third law info cybot sdk
"""
_AROUND = frozenset(_AROUND_NAMES.split())
"""Words that may stand beside one of those: ``site-footer-wrapper`` is one, ``page-with-sidebar`` is not."""
_REASON_OF = {word: reason for reason, words in _WORDS.items() for word in words.split()}
_PAIRS = {("widget", "area"): SIDEBAR, ("site", "header"): NAVIGATION}
"""Words that are chrome together, and say nothing alone."""
_LAYOUTS = frozenset({"has", "content"})
"""First words of names of what stands beside a sidebar, such as ``has-sidebar``."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
_LEAST_LINKED = 0.4
"""Share of a navigation's text that stands in links, where only words say that it is one."""
_LONGEST_SKIP_LINK = 60


def never_read(page: Page) -> tuple[bool, ...]:
    """For each element whether it is a script or the like, or the title, or stands in one."""
    found: list[bool] = []
    for element in page.elements:
        around = element.parent >= 0 and found[element.parent]
        found.append(around or element.tag in _SCRIPTS or element.tag == "title")
    return tuple(found)


def reasons(page: Page) -> tuple[str, ...]:
    """For each element why its text is left out; empty for content.

    Args:
        page: The page.

    Returns:
        One reason an element; what stands in an element that is left out has its reason.
    """
    look = _Look(page)
    found: list[str] = []
    for number, element in enumerate(page.elements):
        around = found[element.parent] if element.parent >= 0 else ""
        found.append(around or look.reason(number, element))
    return tuple(found)


class _Look:
    """What is counted once for the whole page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._in_content: list[bool] = []
        for element in page.elements:
            around = element.parent >= 0 and self._in_content[element.parent]
            self._in_content.append(around or _is_content(element))
        characters = np.concatenate(([0], np.cumsum(page.behind - page.first)))
        self._characters = characters
        in_links = np.zeros(len(page.owners), dtype=np.int64)
        for number, element in enumerate(page.elements):
            if element.tag == "a":
                first, behind = page.nodes[number]
                in_links[first:behind] = (page.behind - page.first)[first:behind]
        self._linked = np.concatenate(([0], np.cumsum(in_links)))
        self._contents = self._numbers(_CONTENT)
        self._titles = self._numbers(frozenset({"h1"}))
        self._navigations = self._numbers(frozenset({"nav"}))

    def reason(self, number: int, element: Element) -> str:
        """Why an element is left out, those around it not being so."""
        always = _never_shown(element)
        if always or element.tag in ("html", "body", "head"):
            return always
        by_tag = _ROLES.get(element.attributes.get("role", "").strip().lower()) or _TAGS.get(element.tag, "")
        if self._in_content[number]:
            return by_tag if by_tag in _HOLDS_FOR_ALL and not self._holds(self._contents, number) else ""
        if self._holds(self._contents, number):
            return ""
        return by_tag or self._page_head(number, element) or self._by_words(number, element)

    def _page_head(self, number: int, element: Element) -> str:
        """A header with the site's navigation, unless the page's title stands in it; a skip link."""
        is_header = element.tag == "header" or element.attributes.get("role", "").lower() == "banner"
        if is_header and self._holds(self._navigations, number) and not self._holds(self._titles, number):
            return NAVIGATION
        target = element.attributes.get("href", "") if element.tag == "a" else ""
        if re.fullmatch(r"#(?:main|content|inhoud|inhalt|contenu|hoofdinhoud)[\w-]*", target, re.IGNORECASE):
            return NAVIGATION if self._length(number) <= _LONGEST_SKIP_LINK else ""
        return ""

    def _by_words(self, number: int, element: Element) -> str:
        names = (*element.attributes.get("class", "").split(), element.attributes.get("id", ""))
        reason = next((each for each in map(_reason_of, names) if each), "")
        if not reason or self._holds(self._titles, number):
            return ""
        if (
            reason == NAVIGATION
            and element.tag not in ("a", "button")
            and self._linked_share(number) < _LEAST_LINKED
        ):
            return ""
        return reason

    def _numbers(self, tags: frozenset[str]) -> Places:
        return np.array(
            [number for number, element in enumerate(self._page.elements) if _is(element, tags)],
            dtype=np.int64,
        )

    def _holds(self, numbers: Places, element: int) -> bool:
        """Whether one of the numbers, ascending, is inside the element."""
        first, behind = np.searchsorted(numbers, [element + 1, self._page.last[element]])
        return bool(first < behind)

    def _length(self, element: int) -> int:
        first, behind = self._page.nodes[element]
        return int(self._characters[behind] - self._characters[first])

    def _linked_share(self, element: int) -> float:
        first, behind = self._page.nodes[element]
        return float(self._linked[behind] - self._linked[first]) / max(1, self._length(element))


def _is(element: Element, tags: frozenset[str]) -> bool:
    return element.tag in tags or (element.attributes.get("role", "") == "main" and "main" in tags)


def _is_content(element: Element) -> bool:
    return _is(element, _CONTENT)


def _never_shown(element: Element) -> str:
    """The reason for what no reader sees, wherever it stands."""
    if element.tag in _SCRIPTS:
        return SCRIPT
    if element.tag == "title":
        return TITLE
    attributes = element.attributes
    hides = (
        element.tag in _NEVER_SHOWN
        or "hidden" in attributes
        or attributes.get("aria-hidden", "").strip().lower() == "true"
        or _HIDDEN_STYLE.search(attributes.get("style", "")) is not None
    )
    return HIDDEN if hides and element.tag not in ("html", "body") else ""


def _reason_of(name: str) -> str:
    """What a class or an id says: all of its words must be of chrome, or go with it."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not all(word in _REASON_OF or word in _AROUND for word in words):
        return ""
    found = [_REASON_OF[word] for word in words if word in _REASON_OF]
    found += [_PAIRS[pair] for pair in pairwise(words) if pair in _PAIRS]
    reason = found[0] if found else ""
    return "" if reason == SIDEBAR and words[0] in _LAYOUTS else reason
