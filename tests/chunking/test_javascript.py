from __future__ import annotations

from pathlib import Path

import pytest
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.javascript.symbols import Symbols
from chunk_pipeline.chunking.registry import strategy

SAMPLE = Path(__file__).parents[2] / "data/sample"
FILES = sorted(path for path in SAMPLE.rglob("*.js") if ".min." not in path.name)
NAMES = ("js_recursive", "js_language", "js_language_large", "js_language_breadcrumb")
SPLITTERS = {
    "js_recursive": RecursiveCharacterTextSplitter(chunk_size=800, chunk_overlap=120),
    "js_language": RecursiveCharacterTextSplitter.from_language(
        Language.JS, chunk_size=800, chunk_overlap=120
    ),
    "js_language_large": RecursiveCharacterTextSplitter.from_language(
        Language.JS, chunk_size=1400, chunk_overlap=200
    ),
}


def cut(name: str, text: str, path: str = "src/lib/tides.js") -> list[Chunk | Skip]:
    return list(strategy(name).cut(Document("harbour", path, text, "javascript")))


def chunks(name: str, text: str) -> list[Chunk]:
    return [each for each in cut(name, text) if isinstance(each, Chunk)]


@pytest.mark.parametrize("name", SPLITTERS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_bodies_are_langchains_pieces_whatever_the_line_ends(name: str, ends: str) -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        bodies = [chunk.body for chunk in chunks(name, text.replace("\n", ends))]
        assert bodies == [piece.replace("\n", ends) for piece in SPLITTERS[name].split_text(text)], file


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_of_the_sample(name: str) -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        assert prove(text, chunks(name, text), [], "text").holds, file


def test_typescript_is_cut_as_well() -> None:
    assert all(strategy(name).takes("javascript", "typescript") for name in NAMES)
    (chunk,) = chunks("js_language_breadcrumb", "export interface Tide { level: number }\n")
    assert chunk.header.endswith(" :: Tide")


def test_the_line_names_the_last_declaration_up_to_the_chunks_end() -> None:
    text = (SAMPLE / "harbour/src/lib/tides.js").read_text(encoding="utf-8")
    assert [chunk.header.rpartition(" :: ")[2] for chunk in chunks("js_language_breadcrumb", text)] == [
        "waterLevelAt",
        "nextLowWater",
    ]


def test_without_a_declaration_the_path_stands_alone() -> None:
    (chunk,) = chunks("js_language_breadcrumb", "import './a.js'\nconst debug = make('a')\n")
    assert chunk.header == "// harbour/src/lib/tides.js"
    assert chunk.passage == chunk.body


def test_symbols_are_functions_classes_and_exports_that_are_not_indented() -> None:
    text = """
import { a } from './a.js'
const hidden = 1
export default class extends Base {}
export default async function * first () {
  function inner () {}
}
export const second = 2
export let $third
class Fourth {}
export const { fifth } = a
export type Sixth = string
export const enum Seventh { A }
export abstract class Eighth {}
declare namespace Ninth {}
export interface Tenth {}
functional()
export default { name: 'x' }
async function Été () {}
"""
    symbols = Symbols(text)
    names = [symbols.before(place) for place in range(len(text))]
    assert list(dict.fromkeys(names)) == [
        None,
        "first",
        "second",
        "$third",
        "Fourth",
        "Sixth",
        "Seventh",
        "Eighth",
        "Ninth",
        "Tenth",
        "Été",
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
def test_a_blank_script_is_skipped_or_nothing(name: str, text: str) -> None:
    assert [each.reason for each in cut(name, text) if isinstance(each, Skip)] == ["blank document"] * bool(
        text
    )
    assert not chunks(name, text)
