"""What holds for any script, at any limit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Chunk, Skip
from chunk_pipeline.chunking.grammars import is_whole
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.javascript.syntax import cut_script

_NAMES = st.sampled_from(["a", "bee", "C", "_d", "$e", "été", "longerName"])
_ATOMS = st.one_of(
    _NAMES,
    st.integers(0, 10**9).map(str),
    st.text(st.characters(exclude_characters="'\\\n\r\u2028\u2029", exclude_categories=["Cs", "Cc"])).map(
        lambda text: f"'{text}'"
    ),
    st.sampled_from([r"/[/\]]+\/a/gi", "`b\n${c} d`", "null", "this", r"'\u{1F600}\x41'"]),
)
_COMMENTS = st.sampled_from(["", "", "// why\n", "/* how */ ", "\n/**\n * What it is.\n */\n"])


def _row(of: st.SearchStrategy[str], between: str) -> st.SearchStrategy[str]:
    return st.lists(of, max_size=6).map(between.join)


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.builds("{}{}: {}".format, _COMMENTS, _NAMES, inner)
    body = _row(st.builds("{}{};\n".format, _COMMENTS, inner.map(lambda each: f"({each})")), "")
    return st.one_of(
        _row(inner, ",\n").map(lambda row: f"[{row}]"),
        _row(pair, ",\n").map(lambda row: f"({{{row}}})"),
        st.builds("{}({})".format, _NAMES, _row(inner, ", ")),
        st.builds("{}.{}({})\n  .then({})".format, _NAMES, _NAMES, inner, inner),
        st.builds("({} + {} * {})".format, inner, inner, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("(async ({}) => {{\n{}}})".format, _NAMES, body),
        st.builds("(function * {} () {{\n{}}})".format, _NAMES, body),
        st.builds("`text ${{{}}} and ${{{}}}`".format, inner, inner),
        st.builds("(class {{ #{} = {}; get b () {{ return {} }} }})".format, _NAMES, inner, inner),
        st.builds("(<p a={{{}}}>text {{{}}} <b/></p>)".format, inner, inner),
    )


_EXPRESSIONS = st.recursive(_ATOMS, _expressions, max_leaves=25)


def _statements(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = _row(inner, "\n")
    return st.one_of(
        st.builds("if ({}) {{\n{}\n}} else if (b) {{\n{}\n}}".format, _EXPRESSIONS, block, block),
        st.builds("for (const {} of {}) {{\n{}\n}}".format, _NAMES, _EXPRESSIONS, block),
        st.builds("try {{\n{}\n}} catch (e) {{\n{}\n}} finally {{}}".format, block, block),
        st.builds("switch (a) {{\ncase {}:\n{}\ndefault:\n{}\n}}".format, _ATOMS, block, block),
        st.builds("{}function {} () {{\n{}\n}}".format, _COMMENTS, _NAMES, block),
        st.builds("class {} {{\n  {}m () {{\n{}\n}}\n}}".format, _NAMES, _COMMENTS, block),
    )


_STATEMENTS = st.recursive(
    st.one_of(
        st.builds("{}const {} = {};".format, _COMMENTS, _NAMES, _EXPRESSIONS),
        st.builds("{}{}.x = {}; // end".format, _COMMENTS, _NAMES, _EXPRESSIONS),
        st.builds("var {} = {}, {} = {};".format, _NAMES, _EXPRESSIONS, _NAMES, _EXPRESSIONS),
        st.just("import a, { b } from 'c';"),
    ),
    _statements,
    max_leaves=8,
)
_SCRIPTS = st.builds(
    "{}\n{}".format, st.sampled_from(["", "'use strict'", "#!/bin/node"]), _row(_STATEMENTS, "\n\n")
)


def _cut(text: str, limit: int) -> tuple[list[Chunk], list[Skip]]:
    cut = list(cut_script(text, "r/a.js", limit))
    return [each for each in cut if isinstance(each, Chunk)], [each for each in cut if isinstance(each, Skip)]


@settings(max_examples=40, deadline=None)
@given(text=_SCRIPTS, limit=st.sampled_from([150, 300, 800]))
def test_a_script_is_covered_by_exact_slices_that_parse_within_the_limit(text: str, limit: int) -> None:
    assert is_whole("javascript", text), text
    chunks, skips = _cut(text, limit)
    proof = prove(text, chunks, skips, "javascript")
    assert proof.holds, proof
    assert proof.repeated == 0 or any(each.metadata.fallback for each in chunks)
    assert proof.parsing == proof.chunks, proof.unparsable
    assert all(len(each.text) <= limit for each in chunks)
    if limit == 800:
        assert not [each.metadata.fallback for each in chunks if each.metadata.fallback]


@settings(max_examples=20, deadline=None)
@given(
    text=_SCRIPTS,
    cut=st.integers(0, 2000),
    junk=st.sampled_from(["", "}", "(", "`", "/*", "\0", "'", "\ud800"]),
)
def test_a_damaged_script_is_covered_all_the_same(text: str, cut: int, junk: str) -> None:
    damaged = text[: min(cut, len(text))] + junk + text[min(cut, len(text)) + 3 :]
    chunks, skips = _cut(damaged, 300)
    proof = prove(damaged, chunks, skips, "javascript")
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
    assert all(len(each.text) <= 300 for each in chunks)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=600))
def test_any_text_is_covered(text: str) -> None:
    chunks, skips = _cut(text, 200)
    proof = prove(text, chunks, skips, "javascript")
    assert proof.holds, proof
    assert proof.parsing == proof.chunks, proof.unparsable
