from __future__ import annotations

from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.vue.component import component_words

SAMPLE = Path(__file__).parents[2] / "data/sample"
FILES = sorted(SAMPLE.rglob("*.vue"))
BLOCKS = ("vue_blocks", "vue_blocks_breadcrumb", "vue_component_breadcrumb")
NAMES = ("vue_recursive", "vue_language", *BLOCKS)


def cut(name: str, text: str, path: str = "src/components/TideGauge.vue") -> tuple[list[Chunk], list[Skip]]:
    pieces = list(strategy(name).cut(Document("harbour", path, text, "vue")))
    chunks = [each for each in pieces if isinstance(each, Chunk)]
    skips = [each for each in pieces if isinstance(each, Skip)]
    assert prove(text, chunks, skips, "text").holds
    return chunks, skips


def bodies(text: str) -> list[str]:
    chunks, _ = cut("vue_blocks", text)
    assert not any(chunk.metadata.fallback for chunk in chunks)
    return [chunk.body for chunk in chunks]


def skipped(text: str) -> list[tuple[str, str]]:
    _, skips = cut("vue_blocks", text)
    stretches = [(text[skip.span.start : skip.span.end], skip.reason) for skip in skips]
    return [(stretch, reason) for stretch, reason in stretches if reason != "tag of a block"]


def fallback(text: str) -> str:
    chunks, skips = cut("vue_blocks", text)
    assert not skips
    assert [chunk.body for chunk in chunks] == [chunk.body for chunk in cut("vue_language", text)[0]]
    (reason,) = {chunk.metadata.fallback for chunk in chunks}
    return reason or ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_nothing_is_lost_of_the_sample_and_line_ends_do_not_matter(name: str, ends: str) -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        chunks, skips = cut(name, text.replace("\n", ends))
        unix_chunks, unix_skips = cut(name, text)
        assert [chunk.body.replace("\r", "") for chunk in chunks] == [chunk.body for chunk in unix_chunks]
        assert [skip.reason for skip in skips] == [skip.reason for skip in unix_skips]


def test_each_block_is_a_stream_of_its_own() -> None:
    text = (SAMPLE / "harbour/src/components/TideGauge.vue").read_text(encoding="utf-8")
    chunks, skips = cut("vue_blocks_breadcrumb", text)
    assert [chunk.header.rpartition(" :: ")[2] for chunk in chunks] == ["script", "template", "style"]
    assert [chunk.body.split()[0] for chunk in chunks] == ["import", "<figure", ".danger"]
    assert [text[skip.span.start : skip.span.end] for skip in skips] == [
        "<script setup>",
        "</script>",
        "<template>",
        "</template>",
        "<style scoped>",
        "</style>",
    ]


def test_the_components_name_is_written_as_words() -> None:
    chunks, _ = cut("vue_component_breadcrumb", "<template>\n<b />\n</template>\n")
    assert [chunk.header for chunk in chunks] == [
        "// harbour/src/components/TideGauge.vue :: template :: tide gauge"
    ]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/KColorScale.vue", "color scale"),
        ("a/user-profile_card.vue", "user profile card"),
        ("a/HTTPServer.vue", "http server"),
        ("a/DateRange2.vue", "date range"),
        ("pages/settings/index.vue", "settings"),
        ("index.vue", "index"),
        ("a/K.vue", ""),
        ("a/ÉtatCivil.vue", "état civil"),
    ],
)
def test_words_of_a_components_name(path: str, words: str) -> None:
    assert component_words(path) == words


def test_a_template_ends_where_a_nested_one_does_and_the_rest_is_listed() -> None:
    text = (
        "<template>\n  <p><template #a>one</template> two</p>\n"
        "  <template #b>three</template> four\n</template>\n<!-- five -->\n<script>\nsix()\n</script>\n"
    )
    assert bodies(text) == ["<p><template #a>one", "three", "six()"]
    assert skipped(text) == [
        ("two</p>", "template text behind the end of a nested template"),
        ("four\n</template>", "template text behind the end of a nested template"),
        ("<!-- five -->", "outside template, script and style"),
    ]


def test_scripts_that_follow_each_other_are_one_stream() -> None:
    text = (
        "<script>\nexport default {}\n</script>\n<script setup>\nlet a\n</script>\n<style>\nb {}\n</style>\n"
    )
    assert bodies(text) == ["export default {}\n</script>\n<script setup>\nlet a", "b {}"]


def test_custom_blocks_and_empty_ones_are_listed() -> None:
    text = (
        '<i18n lang="json">\n{"a": "b"}\n</i18n>\n<script setup>\n</script>\n<template>\n<b />\n</template>\n'
    )
    assert bodies(text) == ["<b />"]
    assert skipped(text) == [
        ('<i18n lang="json">\n{"a": "b"}\n</i18n>', "outside template, script and style")
    ]


def test_tags_may_hold_greater_signs_and_be_closed_at_once() -> None:
    text = (
        "<template src='a.html' />\n<script>\na\n</script>\n"
        "<template v-if=\"1 > 0\" lang='pug'>\np b\n</template >"
    )
    assert bodies(text) == ["a", "p b"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<b>no component</b>", "no template, script or style with content"),
        ("<script>\n</script>", "no template, script or style with content"),
        ("<script>\na\n</script>\n<style>\nb {}\n", "<style> of line 4 is not closed"),
        ("<template>\r\n<b />\r\n<script>\r\na\r\n</script>", "<template> of line 1 is not closed"),
    ],
)
def test_what_is_no_component_is_cut_as_html_and_says_why(text: str, reason: str) -> None:
    assert fallback(text) == reason


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "\r\n \n"])
def test_a_blank_component_is_skipped_or_nothing(name: str, text: str) -> None:
    chunks, skips = cut(name, text)
    assert not chunks
    assert [skip.reason for skip in skips] == ["blank document"] * bool(text)
