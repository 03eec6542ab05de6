"""Symbols of JavaScript and components of Vue: exact statements, and questions that a person could ask."""

from __future__ import annotations

import pytest

from chunk_pipeline.evaluation.gold.javascript_declarations import exported, functions
from chunk_pipeline.evaluation.gold.javascript_symbol import JavascriptSymbol
from chunk_pipeline.evaluation.gold.naming import even_by_size, evenly, phrase
from chunk_pipeline.evaluation.gold.vue_component import VueComponent
from tests.evaluation.gold.documents import answers, file, mined

SCRIPT = """import x from 'y' // not above

// Ä comment 💥
/** of two parts */
export async function getPortDues (vessel) { return vessel }

const keep = 1 // behind code
export const tideTable = {}, lowWater = () => 2
function inner () { return { fetchTides () {} } }
export default class TideGauge { readLevel () {} }
export { keep }
"""

COMPONENT = """<template><div>é</div></template>
<script>
import { useTides } from './tides'
export default {
  name: 'berth-board',
  setup () {
    const { level } = useTides()
    return { level }
  }
}
</script>
<style>div {}</style>
"""


def test_a_declaration_is_the_whole_statement_with_the_comments_right_above() -> None:
    document = file("a.js", SCRIPT)
    found = {each.name: document.text[each.start : each.end] for each in exported(document)}
    assert list(found) == ["getPortDues", "tideTable", "lowWater", "TideGauge"]
    assert found["getPortDues"].startswith("// Ä comment 💥\n/** of two parts */\nexport async")
    assert found["tideTable"] == found["lowWater"] == "export const tideTable = {}, lowWater = () => 2"


def test_functions_are_found_at_any_depth() -> None:
    names = [each.name for each in functions(file("a.js", SCRIPT))]
    assert names == ["getPortDues", "tideTable", "lowWater", "inner", "fetchTides", "TideGauge", "readLevel"]


def test_an_exported_name_is_asked_for_in_words() -> None:
    document = file("a.js", SCRIPT)
    queries = {each.target: each for each in mined(JavascriptSymbol(), document)}
    assert set(queries) == {"getPortDues", "tideTable", "lowWater"}
    assert queries["getPortDues"].query == "How does port dues (getPortDues) work?"
    assert answers(queries["getPortDues"], [document])[0].endswith("{ return vessel }")


def test_a_name_that_several_files_export_is_asked_once_and_answered_by_each() -> None:
    one, two = (file(path, "export const tideTable = 1") for path in ("a.js", "b.mjs"))
    (query,) = mined(JavascriptSymbol(), one, two)
    assert [span.path for span in query.relevant] == ["a.js", "b.mjs"]


def test_typescript_is_read_as_such() -> None:
    document = file("a.ts", "export const tideTable: Record<string, number> = {} as never\n")
    assert [each.name for each in exported(document)] == ["tideTable"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("getPortDues", "port dues"), ("useSync", ""), ("KTextField", "text field"), ("toGeoJSON", "geo json")],
)
def test_a_phrase_has_two_words_and_no_leading_verb(name: str, words: str) -> None:
    assert phrase(name) == words


def test_files_of_each_size_give_at_most_66_by_an_even_stride() -> None:
    assert evenly(range(10), 4) == [0, 2, 5, 7]
    small, large = file("a.js", ""), file("b.js", "x" * 10_000)
    chosen = even_by_size({**dict.fromkeys(range(100), small), **dict.fromkeys(range(100, 110), large)})
    assert len([each for each in chosen if each < 100]) == 66
    assert [each for each in chosen if each >= 100] == list(range(100, 110))


def test_a_component_is_asked_for_by_its_name_option_and_answered_by_template_and_script() -> None:
    document = file("BerthBoard.vue", COMPONENT)
    queries = {each.target: each for each in mined(VueComponent(), document)}
    component, composable = queries["berth-board"], queries["useTides"]
    assert component.query == "How does the berth board component (berth-board) work?"
    assert [each[:9] for each in answers(component, [document])] == ["<template", "<script>\n"]
    assert composable.query == "Where is the tides composable (useTides) used?"
    assert answers(composable, [document]) == ["const { level } = useTides()"]


def test_a_composable_that_many_components_call_is_not_asked_for() -> None:
    script = "<script setup>const a = useTides()</script>"
    documents = [file(f"x{n}.vue", script) for n in range(5)]
    assert mined(VueComponent(), *documents[:4])
    assert mined(VueComponent(), *documents) == []


@pytest.mark.parametrize(
    "text", ["", "\x00", "export", "export const {aaaa} = b", "<script>", "export default", "é(" * 50]
)
def test_odd_code_gives_nothing_and_does_not_crash(text: str) -> None:
    assert mined(JavascriptSymbol(), file("a.js", text)) == []
    assert mined(VueComponent(), file("A.vue", text)) == []


def test_deeply_nested_code_is_read_without_recursion() -> None:
    text = "export const deepNest = " + "[" * 5000 + "]" * 5000
    assert len(functions(file("a.js", "function deepOuter () { " + "{" * 3000 + "}" * 3000 + " }"))) == 1
    assert [each.target for each in mined(JavascriptSymbol(), file("a.js", text))] == ["deepNest"]
