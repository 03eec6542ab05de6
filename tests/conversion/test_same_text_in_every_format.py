"""Research aids as YAML, Markdown, DOCX, and a PDF made of the Markdown have the same words."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from chunk_pipeline.conversion.extraction import extract
from tests.conversion.documents import maker

AGREEMENT = 0.995
PDF_AGREEMENT = 0.98

NAMES = [
    f"niveau{level}_{language}_{name}"
    for level, name in ((1, "Sources"), (2, "Museum"), (3, "Bronbeek"), (3, "Museon"), (3, "RMO"))
    for language in ("Dutch", "English")
]
ADDED = re.compile(
    r"^_?first edited by .*|^_?last edited by .*|^## (?:Related Aids|Relevant Data)|TO BE FILLED|WorldCat",
    re.M,
)
"""What the program that wrote the Markdown added to what it read in the YAML."""

SHOWN = ("Abstract", "Main-text", "Sources")
"""Keys of the YAML whose texts it wrote in full."""

TEXTS = frozenset({"content", "Name", "Description and remarks"})
IMAGE = re.compile(r"!\[[^\]]*\]\([^()]*\)")
ADDRESS = re.compile(r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\s*\)|https?://\S+|[\w./-]+\.yml")
WORD = re.compile(r"\w+")


@pytest.fixture(scope="module")
def aids(corpora: Path) -> Path:
    return corpora / "corpora/heritage/research_aids"


@pytest.mark.parametrize("name", NAMES)
def test_markdown_and_docx_have_the_same_words(aids: Path, name: str) -> None:
    markdown, docx = _markdown(aids, name), _docx(aids, name)

    # Addresses are broken at the ends of lines in the DOCX, and pictures are named in it.
    assert _share(_words(_plain(markdown)), _words(docx)) >= AGREEMENT
    assert _share(_words(_without_addresses(docx)), _words(markdown.replace("](", "] ("))) >= AGREEMENT


@pytest.mark.parametrize("name", NAMES)
def test_the_words_of_the_markdown_stand_in_the_yaml(aids: Path, name: str) -> None:
    written = ADDED.sub("", _markdown(aids, name))

    assert (
        _share(_words(_plain(written)), _words(_plain("\n".join(_scalars(_yaml(aids, name)))))) >= AGREEMENT
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_texts_of_the_yaml_stand_in_the_markdown_and_the_docx(aids: Path, name: str) -> None:
    content = _yaml(aids, name)
    texts = _words(_plain("\n".join(text for key in SHOWN for text in _texts(content.get(key)))))

    assert texts.total() > 300
    assert _share(texts, _words(_plain(_markdown(aids, name)))) >= AGREEMENT
    assert _share(texts, _words(_docx(aids, name))) >= AGREEMENT


@pytest.mark.parametrize("name", NAMES)
def test_a_pdf_of_the_markdown_has_its_words(aids: Path, name: str) -> None:
    shown = _plain(_markdown(aids, name))
    script = maker()
    lines = [
        script["Line"](line)
        for paragraph in unicodedata.normalize("NFC", shown).splitlines()
        for line in textwrap.wrap(paragraph, 90, break_on_hyphens=False) or [""]
    ]
    data = script["pdf"]([lines[start : start + 54] for start in range(0, len(lines), 54)])

    extracted = extract(data, ".pdf")

    assert _share(_words(shown), _words(extracted.text)) >= PDF_AGREEMENT
    assert _share(_words(extracted.text), _words(shown)) >= PDF_AGREEMENT


def _markdown(aids: Path, name: str) -> str:
    return (aids / f"{name}.md").read_text(encoding="utf-8")


def _yaml(aids: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((aids / f"{name}.yml").read_text(encoding="utf-8"))
    return content


def _docx(aids: Path, name: str) -> str:
    return _extracted(aids / f"{name}.docx")


@cache
def _extracted(path: Path) -> str:
    return extract(path.read_bytes(), path.suffix).text


def _plain(markdown: str) -> str:
    """Markdown without addresses and pictures; its other marks are no letters."""
    return ADDRESS.sub(" ", IMAGE.sub(" ", markdown))


def _without_addresses(text: str) -> str:
    return re.sub(r"https?://\S+(?: *\n\S+)?", " ", text)


def _scalars(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from _scalars(value)
    elif isinstance(node, list):
        for value in node:
            yield from _scalars(value)
    elif node is not None:
        yield str(node)


def _texts(node: object, key: str = "content") -> Iterator[str]:
    if isinstance(node, dict):
        for name, value in node.items():
            yield from _texts(value, str(name))
    elif isinstance(node, list):
        for value in node:
            yield from _texts(value, key)
    elif isinstance(node, str) and key in TEXTS:
        yield node


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(unicodedata.normalize("NFC", text).replace("_", " ")))


def _share(wanted: Counter[str], there: Counter[str]) -> float:
    """Share of the words that are there, each as often."""
    missing = wanted - there
    share = 1 - missing.total() / wanted.total()
    print(f"{share:.4f} of {wanted.total()} words; lacking: {sorted(missing.items())[:20]}")
    return share
