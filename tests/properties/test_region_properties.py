"""What holds for any nested text that is cut in regions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.regions import cut_regions
from tests.chunking.brackets import balanced, regions

DEEPEST = 5
LONGEST_WORD = 6

_WORDS = st.text("abc", min_size=1, max_size=LONGEST_WORD)
_SPACE = st.sampled_from([" ", "  ", "\n", " \n    "])


def _bracketed(inner: st.SearchStrategy[str], depth: int) -> st.SearchStrategy[str]:
    if depth == 0:
        return inner
    part = st.tuples(_bracketed(inner, depth - 1), _SPACE).map("".join)
    bracket = st.sampled_from(["()", "[]", "{}"])
    run = st.tuples(bracket, st.sampled_from(["", " ", "\n  "]), st.lists(part, max_size=5))
    return inner | run.map(lambda each: each[0][0] + each[1] + "".join(each[2]) + each[0][1])


TEXTS = st.lists(st.tuples(_bracketed(_WORDS, DEEPEST), _SPACE).map("".join), max_size=8).map("".join)


@settings(max_examples=150, deadline=None)
@given(
    text=TEXTS,
    limit=st.integers(1, 60),
    deepest=st.none() | st.integers(1, 3),
    alone=st.sampled_from(["", "[", "([{"]),
    room=st.integers(0, 5),
)
def test_pieces_are_disjoint_lose_nothing_and_balance(
    text: str, limit: int, deepest: int | None, alone: str, room: int
) -> None:
    root = regions(text, deepest, alone)
    position = 0
    for piece in cut_regions(text, root, limit, lambda label: room):
        assert position <= piece.start < piece.end
        assert not text[position : piece.start].strip()
        position = piece.end
        body = text[piece.start : piece.end]
        assert body == body.strip()
        assert balanced(piece.opening + body + piece.closing)
        size = len(piece.opening) + len(body) + len(piece.closing) + room
        # The longest word with all brackets that may be open around it, each once ahead and once behind.
        if limit >= LONGEST_WORD + 2 * DEEPEST + room:
            assert size <= limit
    assert not text[position:].strip()
