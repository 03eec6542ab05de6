"""Components cut on a parse: where the cuts are, what stands around the pieces, what happens to odd input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.chunking.vue.chunks import cut_component

LIMIT = 800
SAMPLE = Path(__file__).parents[2] / "data/sample"


def cut(text: str, limit: int = LIMIT) -> list[Chunk]:
    """The chunks, once it is proved that they hold what the strategy promises."""
    pieces = list(cut_component(text, "app/A.vue", limit))
    chunks = [each for each in pieces if isinstance(each, Chunk)]
    proof = prove(text, chunks, [each for each in pieces if isinstance(each, Skip)], "vue", limit)
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
    assert proof.sizes.over_limit == 0, proof.sizes
    assert all(len(each.spans) == 1 for each in chunks)
    return chunks


def whole(text: str, limit: int = LIMIT) -> list[Chunk]:
    """The chunks, none of which was cut as text."""
    chunks = cut(text, limit)
    assert [each.metadata.fallback for each in chunks] == [None] * len(chunks)
    return chunks


def lines(line: str, number: int) -> str:
    return "".join(f"{line.replace('#', str(index))}\n" for index in range(number))


def test_a_small_component_is_one_chunk() -> None:
    text = "<template>\n  <b />\n</template>\n\n<script setup>\nlet a\n</script>\n"
    (chunk,) = whole(text)
    assert chunk.body == text.strip()
    assert (chunk.header, chunk.opening, chunk.closing, chunk.unit) == ("// app/A.vue", "", "", "")


def test_whole_blocks_are_merged_up_to_the_limit() -> None:
    script = f"<script>\n{lines('call(#)', 78)}</script>\n"
    ahead = "<template>\n  <b />\n</template>\n<!-- about the style -->\n<style>\nb { c: d }\n</style>\n"
    text = ahead + script
    first, second = whole(text)
    assert (first.unit, second.unit) == ("template, style", "script")
    assert second.body == script.strip()


def test_a_template_is_cut_at_the_children_of_its_elements() -> None:
    row = '      <li class="row" @click="pick(#)">row # of the list</li>'
    inner = f'    <ul class="rows wide">\n{lines(row, 30)}    </ul>\n'
    text = f'<template>\n  <div id="app">\n{inner}  </div>\n</template>'
    first, *_, last = chunks = whole(text)
    assert first.body.startswith('<template>\n  <div id="app">')
    assert first.closing == "\n</ul></div>\n</template>"
    assert last.opening == "<template>\n<div><ul>\n"
    assert last.body.endswith("</ul>\n  </div>\n</template>")
    assert all(each.body.count("<li") == each.body.count("</li") for each in chunks)
    assert last.unit == "template › div#app › ul.rows › li.row"
    assert last.header == f"// app/A.vue :: {last.unit}"


def test_a_comment_stays_with_what_it_is_ahead_of() -> None:
    part = '    <!-- about # -->\n    <p v-if="a#">' + "text " * 30 + "</p>"
    text = f"<template>\n  <div>\n{lines(part, 12)}  </div>\n</template>"
    assert all(each.body.count("<!--") == each.body.count("<p") for each in whole(text))


def test_alternatives_stay_together_if_they_fit() -> None:
    part = '<p v-if="a > #">' + "one " * 30 + "</p>\n<!-- or -->\n<p v-else-if='b'>2</p>\n<p v-else>3</p>"
    text = f"<template>\n<div>\n{lines(part, 12)}</div>\n</template>"
    chunks = whole(text)
    assert len(chunks) > 2
    assert all(each.body.count("v-if") == each.body.count("v-else>") for each in chunks)


def test_text_is_cut_at_words_and_interpolations_are_whole() -> None:
    text = "<template><p>" + "some words and {{ a < b ? one : two }} " * 80 + "</p></template>"
    chunks = whole(text)
    assert all(each.body.count("{{") == each.body.count("}}") for each in chunks)
    assert all(text[each.spans[0].end : each.spans[0].end + 1].strip() == "" for each in chunks)


@pytest.mark.parametrize(
    "large",
    [
        f"<path d='{'M0 0 L1 1 ' * 300}' fill=none />",
        "<q-btn :a=x>text</q-btn><q-btn " + lines(':b#="x > 1"', 150) + ">text</q-btn>",
        f"<img {lines('data-a#=one', 150)}>",
        f"<!-- {'long comment -- ' * 200} -->",
        f"<p>{{{{ {'a + b + ' * 300} c }}}}</p>",
        f"<p>{'x' * 3000}</p>",
        f"<p>{'😀 é́ ' * 800}</p>",
        f"<pre>\n{lines('  line #', 300)}</pre>",
        f"<script type='text/plain'>{lines('a < b #', 300)}</script>",
        f'<p title="{"a > b " * 300}">text</p>',
        f"<ul>{'<li>never closed ' * 200}</ul>",
        f"{'<div>' * 400}deep{'</div>' * 400}",
        f"{'<q-item-section class=a>text ' * 60}{'</q-item-section>' * 60}",
        f'<Tabs.Root v-slot="{{ a }}">{"<Tabs.Tab #[name]=x>one</Tabs.Tab>" * 60}</Tabs.Root>',
        f"<svg><g>{'<circle cx=1 r=2/><br><use :href=x />' * 60}</g></svg>",
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_no_markup_is_too_long(large: str, ends: str) -> None:
    text = f"<template>\n  <div>\n    {large}\n  </div>\n</template>\n\n<script>\nlet a\n</script>\n"
    assert len(whole(text.replace("\n", ends))) > 1


def test_scripts_are_cut_as_scripts_within_their_tags() -> None:
    body = lines("  call(#)", 50)
    text = (
        f'<script lang="ts">\nexport interface Row {{ a: number }}\n</script>\n<script lang="ts" setup>\n'
        f"function one (a: string) {{\n{body}}}\nfunction two () {{\n{body}}}\n</script>"
    )
    first, second, third = whole(text)
    assert first.unit == "script, script setup" or first.unit == "script"
    assert second.opening in ("", '<script lang="ts" setup>\n')
    assert third.opening == '<script lang="ts" setup>\n'
    assert third.unit == "script setup › two"
    assert third.header == "// app/A.vue :: script setup › two"


def test_a_function_over_the_limit_is_named_in_its_pieces() -> None:
    text = f"<script setup>\nasync function load (url) {{\n{lines('  await call(#)', 120)}}}\n</script>"
    *_, last = whole(text)
    assert last.unit == "script setup › load"
    assert last.header == "// app/A.vue :: script setup › async function load (url)"
    assert last.opening.startswith("<script setup>\n")


def test_styles_are_cut_at_rules_and_nested_ones_at_inner_rules() -> None:
    rule = "  &__part-# {\n    // why { not\n    color: red; /* } */\n    &:hover { content: '}'; }\n  }"
    text = f'<style scoped lang="scss">\n.card {{\n{lines(rule, 20)}}}\n</style>'
    first, *_, last = chunks = whole(text)
    assert first.closing == "\n}\n</style>"
    assert last.opening == '<style scoped lang="scss">\n.card {\n'
    assert last.unit.startswith("style › .card › &__part-")
    assert all(each.body.count("&__part") == each.body.count("&:hover") for each in chunks)


@pytest.mark.parametrize(
    "style",
    [
        f".a {{ background: url(data:image/png;base64,{'A' * 3000}); }}",
        f"{', '.join(f'.selector-{i}' for i in range(200))} {{ color: red }}",
        f"/* {'a long { licence ' * 100} */\n.a {{ b: c }}",
        f"@media (min-width: 1px) {{ {'.a { b: c }' * 100} }}",
        "".join(f"$map{i}: (key: #{{$a}}, 'b': 2);\n" for i in range(60)),
        ".a {" * 200 + "b: c" + "}" * 200,
        ".m(@a; @b) { c: @{d} }\n" * 60,
    ],
)
def test_no_rule_is_too_long(style: str) -> None:
    assert len(whole(f'<style lang="less">\n{style}\n</style>')) > 1


def test_lines_of_pug_keep_their_indentation_and_the_lines_that_they_are_in() -> None:
    row = '    //- about #\n    li.row(\n      v-for="a in b"\n      @click="x > (1)") row # of the list'
    text = f'<template lang="pug">\n.app(v-if="a < b")\n  ul#rows\n{lines(row, 12)}</template>'
    *_, last = chunks = whole(text)
    assert last.opening == '<template lang="pug">\n.app\n  ul#rows\n'
    assert all(each.body.startswith("    //- about") for each in chunks[1:])
    assert last.unit == "template › .app › ul#rows › li.row"


@pytest.mark.parametrize("lang", ["sass", "stylus"])
def test_styles_without_braces_are_cut_at_lines(lang: str) -> None:
    rules = lines("  .b-#\n    color: red", 60)
    text = f'<style lang="{lang}">\n.a\n{rules}</style>'
    *_, last = whole(text)
    assert last.opening == f'<style lang="{lang}">\n.a\n'
    assert last.body.startswith("  .b-")


def test_pieces_of_translations_are_json() -> None:
    data = {lang: {"menu": {f"key{i}": f"a {{{{ name }}}} <b>{i}</b>" for i in range(40)}} for lang in "ab"}
    text = f"<i18n>\n{json.dumps(data, indent=2)}\n</i18n>"
    chunks = whole(text)
    parts = [json.loads(each.passage.removeprefix("<i18n>").removesuffix("</i18n>")) for each in chunks]
    assert {lang for part in parts for lang in part} == {"a", "b"}
    assert sum(len(part[lang]["menu"]) for part in parts for lang in part) == 80
    skips = [each for each in cut_component(text, "app/A.vue", LIMIT) if isinstance(each, Skip)]
    assert {(text[each.span.start : each.span.end], each.reason) for each in skips} == {
        (",", "between members of JSON")
    }


@pytest.mark.parametrize(
    "block",
    [
        f'<i18n lang="yaml">\nen:\n  menu:\n{lines("    key#: some text", 80)}</i18n>',
        "<docs>\n# Title\n\n" + lines("A paragraph of text.\n", 80) + "</docs>",
        f"<docs>{'word ' * 600}</docs>",
        '<route lang="json">{"a": "' + "b " * 900 + '"}</route>',
        f"<custom>{{not json {'x ' * 900}}}</custom>",
        f'<template lang="jade">\n{lines("p # text", 200)}</template>',
        f'<template lang="haml">\n{lines("%p # text", 200)}</template>',
        f'<style lang="fancy">\n{lines("anything #", 200)}</style>',
    ],
)
def test_custom_blocks_and_other_languages_are_cut_within_their_tags(block: str) -> None:
    chunks = whole(f"{block}\n<template>\n  <b />\n</template>")
    tag = block[1:].split(">")[0].split()[0]
    assert len(chunks) > 2
    assert all(each.opening.startswith(f"<{tag}") for each in chunks[1:-1])


def test_a_tag_over_the_limit_is_cut_at_its_attributes() -> None:
    attributes = " ".join(f'data-a{i}="value {i}"' for i in range(120))
    text = f'<script lang="ts" setup {attributes}>\nconst a: number = 1\n</script>'
    *_, last = whole(text)
    assert last.body.endswith("</script>")


@pytest.mark.parametrize(
    "text",
    [
        '<script src="./a.js" />\n<template><b /></template>',
        '<script src="./a.js"></script>\n<style src="./b.css"/>\n<template src="./c.html" />',
        "<template>\n</template>\n<script></script>\n<style />\n<i18n/>",
        "\ufeff<template><b>é 😀</b></template>",
        "<template><My.Own.Part a>text</My.Own.Part></template>",
        '<TEMPLATE><p v-slot:[name]="{ a }" title="a > b">a & b</p></TEMPLATE>',
        "<!-- only a comment -- with dashes -->",
        "<template><input><br></br><p>one<p>two</template>\r\n\r\n<script>\r\nlet a\r\n</script>",
    ],
)
def test_what_vue_allows_is_one_chunk(text: str) -> None:
    assert len(whole(text)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "<template><p>a <b</p></template>\n<script>\nlet a\n</script>",
            "line 1: this template does not parse as a part of a Vue component",
        ),
        (
            "<script>\nlet a\n</script>\n<script lang='coffee'>\na = -> b c\n</script>",
            "line 4: the script does not parse as JavaScript or TypeScript",
        ),
        (
            "<script>\nlet a\n</script>\n<style>\n.a { b: c\n</style>",
            "line 4: the braces of the style do not match",
        ),
        (
            "<script>\nlet a\n</script>\n\nloose text\n",
            "line 5: text between blocks is no part of a Vue component",
        ),
        (
            "<script>\nlet a\n</script>\n\n{{ loose }}\n",
            "line 5: text between blocks is no part of a Vue component",
        ),
        (
            "<script>\nlet a\n</script></p>",
            "line 3: this tag does not parse as a part of a Vue component",
        ),
        ("<script>\nlet a\n</script>\n<!-- open", "line 4: this tag or comment is not closed"),
        ("<script>\nlet a\n</script>\n<style ", "line 4: this style is not closed"),
        ("<script>\nlet a\n</script>\n<docs>", "line 4: this docs is not closed"),
        ("<script>\nlet a\n</script>\n<template>{{", "line 4: this template is not closed"),
        ("<script>\nlet a\n</script>\n<template><!--", "line 4: this template is not closed"),
        ("<script>\nlet a\n</script>\n<template><template ", "line 4: this template is not closed"),
    ],
)
def test_a_broken_block_is_cut_as_text_and_spoils_no_other(text: str, reason: str) -> None:
    chunks = cut(text)
    assert {each.metadata.fallback for each in chunks} == {None, reason}
    (sound,) = [each for each in chunks if not each.metadata.fallback]
    assert sound.body == "<script>\nlet a\n</script>"


def test_nested_templates_end_where_they_do_though_another_block_is_broken() -> None:
    slots = "<template #a><p>{{ '>' }}</p></template><!-- </template> --><template v-slot:b />"
    text = f"<style>\n.a {{\n</style>\n<docs>a <b</docs>\n<template><div>{slots}</div></template>"
    chunks = cut(text)
    assert chunks[-1].body == f"<template><div>{slots}</div></template>"
    assert [bool(each.metadata.fallback) for each in chunks] == [True, True, False]


def test_headers_are_never_over_a_third_of_the_limit() -> None:
    deep = "".join(f'<section-with-a-long-name class="and-a-class-{i}">' for i in range(8))
    text = f"<template>{deep}{'<b>text</b>' * 200}{'</section-with-a-long-name>' * 8}</template>"
    pieces = list(cut_component(text, f"app/{'folder/' * 60}A.vue", LIMIT))
    chunks = [each for each in pieces if isinstance(each, Chunk)]
    assert len(chunks) > 2
    assert all(0 < len(each.header) <= LIMIT // 3 and "\n" not in each.header for each in chunks)


def test_next_to_nothing() -> None:
    assert list(cut_component("", "a.vue", LIMIT)) == []
    (skip,) = cut_component(" \n", "a.vue", LIMIT)
    assert isinstance(skip, Skip)
    (chunk,) = cut("no component")
    assert chunk.metadata.fallback == "line 1: text between blocks is no part of a Vue component"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script src='a'/>", True),
        ("<A.B>x</A.B>", True),
        ("<A.B>x</A.C>", True),
        ("<div></div", False),
        ("<script>let</script><A.B></A.B>", True),
        ("<script>let =</script>", False),
        ("<script>let =</script><A.B></A.B>", False),
        ("<template lang='pug'>a < b</template>", True),
    ],
)
def test_what_parses_as_a_part_of_a_component(text: str, expected: bool) -> None:
    assert parses("vue", text) is expected


@pytest.mark.parametrize("file", sorted(SAMPLE.rglob("*.vue")), ids=lambda file: file.stem)
@pytest.mark.parametrize("limit", [300, LIMIT])
def test_the_sample_is_cut_on_its_parse(file: Path, limit: int) -> None:
    chunks = cut(file.read_text(encoding="utf-8"), limit)
    reasons = {each.metadata.fallback for each in chunks} - {None}
    # One component of the sample is broken on purpose.
    assert reasons == ({"line 10: this template is not closed"} if file.stem == "DredgeNotice" else set())


def test_the_strategy_names_the_document_in_headers() -> None:
    document = Document("harbour", "src/A.vue", f"<script>\n{lines('call(#)', 100)}</script>", "vue")
    chunks = [each for each in strategy("vue_syntax").cut(document) if isinstance(each, Chunk)]
    assert len(chunks) > 1
    assert all(each.header == "// harbour/src/A.vue :: script" for each in chunks)
