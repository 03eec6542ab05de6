"""Any text keeps its places and its characters on the way into the chunk viewer."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.evaluation.viewer_cuts import Units
from chunk_pipeline.evaluation.viewer_json import script_json


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60), offset=st.integers(0, 80))
def test_an_offset_counts_the_code_units_before_it(text: str, offset: int) -> None:
    assert Units(text).at(offset) == len(text[:offset].encode("utf-16-le")) // 2


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.characters(), max_size=60))
def test_json_for_a_page_reads_back_and_cannot_end_its_block(text: str) -> None:
    written = script_json([text])
    assert json.loads(written) == [text]
    assert not {"<", ">", "&", "\u2028", "\u2029", "\u202e"} & set(written)
