"""A chunk's id is its own on any machine, and stands with those of its file."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Chunk, Document, Span, chunk_id

TEXT = st.text(max_size=4)
CHUNK = Chunk("body", (Span(0, 4),))


def of_file(repository: str, path: str) -> Document:
    return Document(repository, path, "body", "text")


def test_the_same_chunk_has_the_same_id_on_any_machine() -> None:
    assert chunk_id("recursive", of_file("harbour", "a.md"), CHUNK) == "336a5b33cf2714c71a669dbca58245b9"


@given(first=st.tuples(TEXT, TEXT, TEXT, TEXT, TEXT), second=st.tuples(TEXT, TEXT, TEXT, TEXT, TEXT))
def test_ids_are_equal_only_where_all_that_they_say_is(
    first: tuple[str, str, str, str, str], second: tuple[str, str, str, str, str]
) -> None:
    ids = [
        chunk_id(strategy, of_file(repository, path), CHUNK._replace(unit=unit, body=body))
        for strategy, repository, path, unit, body in (first, second)
    ]
    assert (ids[0] == ids[1]) == (first == second)


def test_the_chunks_of_a_file_stand_together_in_the_order_of_ids() -> None:
    files = [of_file("harbour", f"{number}.md") for number in range(20)]
    chunks = [CHUNK._replace(spans=(Span(start, start + 4),)) for start in range(20)]
    file_of = {chunk_id("recursive", file, chunk): file.path for file in files for chunk in chunks}
    assert len(file_of) == 400
    assert len(list(groupby(sorted(file_of), key=file_of.__getitem__))) == len(files)
