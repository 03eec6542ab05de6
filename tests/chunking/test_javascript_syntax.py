"""Scripts cut on a parse: where the cuts are, what stands around the pieces, what happens to odd input."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.javascript.regions import script_root
from chunk_pipeline.chunking.javascript.syntax import cut_script
from chunk_pipeline.chunking.regions import cut_regions
from chunk_pipeline.chunking.syntax import parses

LIMIT = 800
SAMPLE = Path(__file__).parents[2] / "data" / "sample"


def _cut(text: str, name: str = "app/a.js", limit: int = LIMIT) -> list[Chunk]:
    """The chunks, once it is proved that they hold what the strategy promises."""
    cut = list(cut_script(text, name, limit))
    chunks = [each for each in cut if isinstance(each, Chunk)]
    proof = prove(text, chunks, [each for each in cut if isinstance(each, Skip)], "javascript")
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
    assert all(len(each.text) <= limit for each in chunks)
    assert all(len(each.spans) == 1 for each in chunks)
    return chunks


def _whole(text: str, name: str = "app/a.js", limit: int = LIMIT) -> list[Chunk]:
    """The chunks, none of which was cut as text."""
    chunks = _cut(text, name, limit)
    assert [each.metadata.fallback for each in chunks] == [None] * len(chunks)
    return chunks


def _lines(line: str, number: int = 60) -> str:
    return "\n".join(line.replace("#", str(index)) for index in range(number))


def test_whole_declarations_are_merged_up_to_the_limit() -> None:
    text = "import a from 'a'\n\nfunction one () { return a }\n\nexport class Two {}\n"
    (chunk,) = _whole(text)
    assert chunk.body == text.strip()
    assert (chunk.opening, chunk.closing) == ("", "")
    assert chunk.unit == "imports, one, Two"
    assert chunk.header == "// app/a.js :: imports, one, Two"


def test_a_comment_belongs_to_what_is_below_it_and_a_trailing_one_to_its_line() -> None:
    body = _lines("  call(#)", 55)
    text = f"function a () {{\n{body}\n}} // about a\n\n// about b\nfunction b () {{\n{body}\n}}\n"
    chunks = _whole(text)
    assert [each.body for each in chunks] == [
        f"function a () {{\n{body}\n}} // about a",
        f"// about b\nfunction b () {{\n{body}\n}}",
    ]


def test_a_class_is_cut_at_its_members_under_its_signature() -> None:
    members = _lines("  /** Says #. */\n  say# () {\n    return 'a rather long answer, number #'\n  }\n")
    chunks = _whole(f"export class Foo extends Bar {{\n{members}\n}}\n")
    middle = chunks[1]
    assert middle.body.startswith("/** Says")
    assert middle.body.endswith("}")
    assert middle.passage == f"class _{{\n{middle.body}\n}}"
    assert middle.header.startswith("// app/a.js :: class Foo extends Bar › say")
    assert middle.unit.startswith("Foo.say")
    assert " … say" in middle.unit


def test_a_method_is_cut_at_its_statements_and_says_where_it_is() -> None:
    chunks = _whole(f"class Foo {{\n  async run (task, queue) {{\n{_lines('    task(#)', 200)}\n  }}\n}}")
    assert chunks[1].header == "// app/a.js :: class Foo › async run (task, queue)"
    assert chunks[1].unit == "Foo.run"
    assert chunks[1].opening == "class _{_(){\n"
    assert chunks[1].closing == "\n}}"
    assert all(each.unit == "Foo.run" for each in chunks[1:])


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("describe('x', () => {\n", "\n})"),
        ("(function (root) {\n", "\n}(this))"),
        ("!function () {\n", "\n}()"),
        ("define(['a', 'b'], function (a, b) {\n", "\n})"),
        ("fetch(url).then(function (answer) {\n", "\n}).catch(log)"),
        ("export default async () => {\n", "\n}"),
        ("if (a) {\n", "\n} else {\n  b()\n}"),
        ("try {\n", "\n} catch (error) {\n  log(error)\n} finally {\n  end()\n}"),
        ("switch (a) {\n  case 1:\n", "\n    break\n  default:\n    b()\n}"),
        ("for await (const a of b) {\n", "\n}"),
        ("outer: do {\n", "\n} while (a)"),
        ("class A {\n  static {\n", "\n  }\n}"),
        ("const a = class {\n  #secret () {\n", "\n  }\n}"),
        ("const f = a && (b ? function * () {\n", "\n} : null)"),
    ],
)
def test_statements_are_cut_apart_wherever_they_stand(head: str, tail: str) -> None:
    chunks = _whole(f"{head}{_lines('    await call(#)', 120)}{tail}\n")
    assert len(chunks) > 2
    assert chunks[0].body.startswith(head.rstrip())
    assert "call(0)" in chunks[0].body, "the head is not left alone"
    assert chunks[-1].body.endswith(tail.lstrip("\n"))
    assert all(each.body.startswith("await call(") for each in chunks[1:-1])


@pytest.mark.parametrize(
    ("head", "line", "tail"),
    [
        ("export default {\n", "  key#: { value: #, text: `v${ a# }` },", "\n}"),
        ("const store = defineStore('x', {\n", "  key#: (a) => a + #,", "\n})"),
        ("x = [\n", "  [#, { a: # }], // number #", "\n]"),
        ("import {\n", "  name#,", "\n} from 'a'"),
        ("export {\n", "  name# as other#,", "\n}"),
        ("const {\n", "  name# = #,", "\n} = require('a')"),
        ("var ", "name# = {a: #},", " last"),
        ("", "a(#),", " b"),
        ("x = ", "a# +", " b"),
        ("x = ", "a === # ? { b: # } :", " null"),
        ("a", "  .then(result => work(#))", ""),
        ("f(\n", "  argument#,", "\n)"),
        ("function f (\n", "  argument# = #,", "\n) {}"),
        ("if (a) { b() }", " else if (a === #) { b() }", ""),
        ("switch (a) {\n", "  case #: b(); break", "\n}"),
        ("", "exports.name# =", " void 0"),
        ("const view = <ul>\n", "  <li key={#}>item #</li>", "\n</ul>"),
        ("const view = <Thing\n", "  name#={value#}", "\n/>"),
        ("const text = `\n", "  line # of ${ value }", "\n`"),
        ("/*\n", " * line # of a comment", "\n */\nfunction f () {}"),
        ("<!-- an old comment\n", "a(#)", "\n--> its end"),
    ],
)
def test_no_construct_is_too_long(head: str, line: str, tail: str) -> None:
    assert len(_whole(head + _lines(line, 200) + tail)) > 1


@pytest.mark.parametrize(
    ("head", "again", "tail"),
    [
        ("const text = '", "a word and ", "'"),
        ('const text = "', "QUJD", '"'),
        ("const text = '", r"\u{1F600}\x41\\", "'"),
        ("const pattern = /", r"[a-z]+\/(?:b)*", "/gu"),
        ("const pattern = /[^", r"\xaa\u00b5-\u00ff", "]+/"),
        ("function f () {\n  // ", "a word and ", "\n  return 1\n}"),
        ("x = { /* ", "a word and ", "*/ a: 1 }"),
        ("const view = <p title='", "a word and ", "' />"),
        ("const view = <p>", "a word and ", "</p>"),
    ],
)
def test_a_long_token_is_cut_within(head: str, again: str, tail: str) -> None:
    assert len(_whole(head + again * 400 + tail)) > 1


@pytest.mark.parametrize(
    ("head", "line", "tail"),
    [
        ("interface A<T> extends B {\n", "  name#: Array<T>", "\n}"),
        ("enum A {\n", "  Name# = #,", "\n}"),
        ("type A =\n", "  | { kind: 'a#' }", ""),
        ("declare module 'a' {\n", "  export function f#(a: string): void", "\n}"),
        ("namespace A.B {\n", "  export const a#: number = #", "\n}"),
        ("abstract class A {\n", "  abstract f#(): void\n  @log() private b#?: string", "\n}"),
        ("", "export function f(a: #): void;", "\nexport function f(a: any): void {}"),
        ("@Component({\n", "  name#: '#',", "\n})\nexport class A {\n  b: string\n}"),
        ("class A {\n  @Input({\n", "  name#: '#',", "\n})\n  b: string\n}"),
        ("const a = <T,>(b: T): b is string => {\n", "  use(b as #)", "\n}"),
        ("declare var A: {\n", "  new(a#: string): A", "\n}"),
    ],
)
def test_typescript_is_cut_as_well(head: str, line: str, tail: str) -> None:
    assert len(_whole(head + _lines(line, 100) + tail, "app/a.ts")) > 1


def test_statements_without_semicolons_stay_apart() -> None:
    lines = _lines("  const a# = b\n  ;[1, 2].map(c)\n  ;`d`.length\n  ++e\n  f(/re/.test(e))", 40)
    _whole("function f () {\n" + lines + "\n}")


def test_line_ends_and_characters_stay_as_they_are() -> None:
    text = "const flag = '👩‍👧 é'\r\n" + "call('👍', \"日本語\") // ok\r\n" * 60
    chunks = _whole(text)
    assert "\r\n" in chunks[0].body
    assert chunks[1].body == text[chunks[1].spans[0].start : chunks[1].spans[0].end]


def test_the_first_line_for_the_shell_and_use_strict_stay_with_the_imports() -> None:
    chunks = _whole("#!/usr/bin/env node\n'use strict'\nconst a = require('a')\n" + _lines("a(#)", 300))
    assert chunks[0].body.startswith("#!/usr/bin/env node\n'use strict'\nconst a")


def test_a_nested_suite_is_named_by_its_texts() -> None:
    tests = _lines("    it('does #', () => {\n      expect(a).to.equal('a rather long text')\n    })", 40)
    chunks = _whole(f"describe('map', () => {{\n  describe('layers', () => {{\n{tests}\n  }})\n}})")
    assert chunks[1].header == "// app/a.js :: describe('map') › describe('layers')"
    assert chunks[1].unit.startswith("describe('map') › describe('layers') › it('does ")


def test_a_script_that_does_not_parse_keeps_its_whole_declarations() -> None:
    good = _lines("export function f# (a) { return a + # }", 30)
    text = f"{good}\nfunction broken ( {{ oops\n{_lines('const b# = #', 60)}\n"
    chunks = _cut(text)
    told = [each for each in chunks if each.metadata.fallback]
    assert told
    assert told[0].metadata.fallback == "line 31: this does not parse as JavaScript or TypeScript"
    assert chunks[0].metadata.fallback is None
    assert chunks[0].body.endswith("}")


@pytest.mark.parametrize("text", ["This is prose, no script. " * 99, "\0" * 900, "}" * 2000, "x" * 3000])
def test_what_no_grammar_can_read_is_cut_as_text(text: str) -> None:
    assert all(each.metadata.fallback for each in _cut(text))


def test_a_lone_surrogate_is_no_obstacle() -> None:
    _whole("const a = '\ud800'\n" * 80)


def test_a_blank_script_is_one_skip_and_an_empty_one_nothing() -> None:
    assert [type(each) for each in cut_script(" \n", "a.js", LIMIT)] == [Skip]
    assert list(cut_script("", "a.js", LIMIT)) == []


@pytest.mark.parametrize(
    "text",
    [
        f"x = {'[1, ' * 1000}{']' * 1000}",
        f"x = {'{a: 1, b: ' * 1000}0{'}' * 1000}",
        f"{'f(' * 1000}{')' * 1000}",
        f"{'if (a) { b(); ' * 500}{'}' * 500}",
        f"{'function f () { g(); ' * 500}{'}' * 500}",
        f"x = {'`a${ ' * 300}0{' }`' * 300}",
        f"x = {'a ? b : ' * 2000}c",
        f"x = {'a + ' * 4000}c",
        f"x{'.a(1)' * 2000}",
    ],
)
def test_deep_nesting_is_cut_without_recursion(text: str) -> None:
    assert len(_whole(text)) > 1


def test_a_header_never_takes_more_than_a_third() -> None:
    name = "/".join(["a-rather-long-folder"] * 30) + "/file.js"
    nested = (
        "function " + " { function ".join(f"{'long' * 20}{depth} (argument)" for depth in range(6)) + " {\n"
    )
    chunks = _whole(f"{nested}{_lines('a(#)', 300)}{'}' * 6}", name)
    assert max(len(each.header) for each in chunks) <= LIMIT // 3
    assert all(each.header.startswith("// …") for each in chunks)
    assert "file.js :: " in chunks[-1].header


def test_a_script_s_tree_does_not_wait_for_the_garbage_collector() -> None:
    text = f"class Foo {{\n  bar () {{\n{_lines('a(#)', 300)}}}\n}}\n"
    _cut(text)
    gc.collect()
    gc.disable()
    try:
        _cut(text)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_regions_of_a_script_within_a_larger_text_have_its_offsets() -> None:
    before, script = "<script>é\n", "\nexport default {\n" + _lines("  name#: 'ü',", 30) + "\n}\n"
    text = f"{before}{script}</script>"
    root = script_root(text, len(before), len(before) + len(script), "javascript")
    assert root is not None
    pieces = list(cut_regions(text, root, 300, lambda label: 0))
    assert [text[each.start : each.start + 4] for each in pieces] == ["expo", "name"]
    assert all(parses("javascript", p.opening + text[p.start : p.end] + p.closing) for p in pieces)
    assert script_root("a <", 0, 3, "javascript") is None


def test_the_sample_s_scripts_are_cut_without_a_loss_and_every_piece_parses() -> None:
    scripts = [path for path in sorted(SAMPLE.rglob("*")) if path.suffix in (".js", ".mjs", ".cjs", ".ts")]
    assert scripts
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        told = [each for each in _cut(text, path.name) if each.metadata.fallback]
        assert bool(told) != parses("javascript", text), path
