"""Generated components: nothing is lost, every piece parses and fits, and none is cut as text needlessly."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Chunk, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.vue.chunks import cut_component
from chunk_pipeline.chunking.vue.sfc import blocks_of
from chunk_pipeline.chunking.vue.styles import Item, items_of

WORDS = st.sampled_from(["one", "two words", "é", "😀", "a & b", "x" * 90, "\r\n", "\n\n", "  ", "it's", "="])
ATTRIBUTES = st.sampled_from(
    [
        *(" a", ' b="c d"', " :e='f > g'", " @click.stop=h", ' #[slot]="{ i }"', ' class="j k"', " v-else"),
        ' v-if="l < m"',
        f' style="{"color: red; " * 20}"',
        f" n={'o' * 120}",
    ]
)
TAGS = st.sampled_from(["div", "template", "q-item-section", "MyPart", "A.B", "svg:g", "pre", "ul"])
LEAVES = st.one_of(
    WORDS,
    st.sampled_from(["<br>", "<img src=a>", "<Part/>", "<input :a='b'>", "<!-- a -- b -->", "{{ a < b }}"]),
    st.just(f"<!-- {'long ' * 60}-->"),
    st.just(f"{{{{ {'long + ' * 60} }}}}"),
)


def element(children: st.SearchStrategy[list[str]]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, attributes, inner: f"<{tag}{''.join(attributes)}>{' '.join(inner)}</{tag}>",
        TAGS,
        st.lists(ATTRIBUTES, max_size=4),
        children,
    )


PUG = ["p text", "#a(b='c'", ")", "//- d", "e:", "f(g)"]
MARKUP = st.recursive(LEAVES, lambda inner: element(st.lists(inner, max_size=6)), max_leaves=40)
TEMPLATES = st.lists(MARKUP, max_size=6).map(lambda parts: f"<template>\n{' '.join(parts)}\n</template>\n")
RULES = st.recursive(
    st.sampled_from(
        ["a: b;", "c: url(d;e);", "// { f\n", "/* } g */", "@include h(1; 2);", "i: '}';", "j: #{k};"]
    ),
    lambda inner: st.lists(inner, max_size=5).map(lambda rows: f".l &-m > n {{\n{' '.join(rows)}\n}}\n"),
    max_leaves=40,
)
STYLES = st.lists(RULES, max_size=6).map(lambda rules: f'<style lang="scss">\n{" ".join(rules)}</style>\n')
LINES = st.lists(
    st.builds(lambda depth, line: " " * depth + line, st.integers(0, 9), st.sampled_from(PUG)), max_size=60
)


def lines_in(tag: str, lines: list[str]) -> str:
    return "\n".join([f"<{tag}>", *lines, f"</{tag.split()[0]}>", ""])


INDENTED = st.builds(
    lines_in, st.sampled_from(['template lang="pug"', 'style lang="sass"', 'i18n lang="yaml"']), LINES
)
COMPONENTS = st.lists(
    st.one_of(TEMPLATES, STYLES, INDENTED, st.just("<!-- between -->\n"), st.just("<i18n>{}</i18n>")),
    max_size=4,
).map("".join)


def check(text: str, limit: int) -> list[Chunk]:
    pieces = list(cut_component(text, "a/B.vue", limit))
    chunks = [each for each in pieces if isinstance(each, Chunk)]
    proof = prove(text, chunks, [each for each in pieces if isinstance(each, Skip)], "vue", limit)
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
    assert proof.sizes.over_limit == 0, proof.sizes
    return chunks


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=COMPONENTS, limit=st.integers(200, 500))
def test_a_component_that_parses_is_cut_on_its_parse(text: str, limit: int) -> None:
    chunks = check(text, limit)
    if parses("vue", text):
        assert {each.metadata.fallback for each in chunks} <= {None}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=COMPONENTS, limit=st.integers(200, 500), data=st.data())
def test_a_component_that_is_cut_off_anywhere_keeps_all_of_it(
    text: str, limit: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    check(text[start : data.draw(st.integers(start, len(text)))], limit)


@settings(max_examples=80, deadline=None)
@given(
    text=st.lists(
        st.sampled_from(["<template>", "</template>", "<a ", "<!--", "-->", "{{", "}}", ">", "\n", "x"])
    )
)
def test_blocks_ascend_and_are_within_the_text(text: list[str]) -> None:
    source = "".join(text)
    place = 0
    for block in blocks_of(source):
        assert place <= block.start < block.end <= len(source)
        place = block.end


@settings(max_examples=80, deadline=None)
@given(rules=st.lists(RULES, max_size=6))
def test_items_of_a_style_sheet_are_nested_and_hold_all_of_it(rules: list[str]) -> None:
    text = " ".join(rules)
    items = items_of(text, 0, len(text), line_comments=True)
    assert items is not None
    stack = [(items, 0, len(text))]
    while stack:
        row, place, end = stack.pop()
        for item in row:
            assert not text[place : item.start].strip()
            place = item.end
            stack += _inside(item)
        assert not text[place:end].strip()


def _inside(item: Item) -> list[tuple[list[Item], int, int]]:
    return [(item.items, item.open + 1, item.end - 1)] if item.open >= 0 and not item.is_comment else []
