"""Reading YAML: what is kept as written, where it stands, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import UnparsableError
from chunk_pipeline.chunking.instance_yaml.compose import compose
from chunk_pipeline.chunking.instance_yaml.nodes import Alias, Mapping, Scalar, Sequence, repeated_keys

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{letter}: &{letter} [{','.join([f'*{before}'] * 9)}]\n"
    for before, letter in zip("abcdefgh", "bcdefghi", strict=True)
)


def _values(text: str) -> list[str]:
    (root,) = compose(text)
    assert isinstance(root, Mapping)
    return [entry.value.value for entry in root.entries if isinstance(entry.value, Scalar)]


def test_values_stay_as_they_are_written() -> None:
    assert _values("a: NO\nb: 01234\nc: 12:30:00\nd: 1_000\ne: 2024-01-01\nf: .5\ng: off\n") == [
        "NO",
        "01234",
        "12:30:00",
        "1_000",
        "2024-01-01",
        ".5",
        "off",
    ]


def test_positions_count_characters_also_behind_a_byte_order_mark_and_emoji() -> None:
    text = "\ufeffa: 😀\nb: [één, 2] # c\n\n# end\n"
    (root,) = compose(text)
    assert isinstance(root, Mapping)
    assert text[root.start : root.end] == "a: 😀\nb: [één, 2]"
    second = root.entries[1].value
    assert isinstance(second, Sequence)
    assert [text[item.start : item.end] for item in second.items] == ["één", "2"]


def test_a_block_ends_with_its_last_value_and_not_with_the_comments_behind_it() -> None:
    text = "- a: 1\n  b:\n  - x\n# of the next\n- c: 2\n"
    (root,) = compose(text)
    assert isinstance(root, Sequence)
    assert text[root.items[0].start : root.items[0].end] == "a: 1\n  b:\n  - x"


def test_each_document_is_a_root() -> None:
    assert len(compose("a: 1\n---\nb: 2\n...\n---\n- c\n")) == 3
    assert compose("") == compose("# only a comment\n") == ()


def test_an_alias_refers_to_its_anchor() -> None:
    (root,) = compose("a: &x {b: c}\nd: *x\n")
    assert isinstance(root, Mapping)
    alias = root.entries[1].value
    assert isinstance(alias, Alias)
    assert alias.target == root.entries[0].value


def test_a_key_that_stands_twice_is_flagged_with_its_line() -> None:
    (root,) = compose("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n<<: {}\n<<: {}\n")
    assert repeated_keys(root) == (("c", 4), ("a", 5))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, "line 6: aliases that stand for over 100,000 values"),
        (
            "a: 1\nb: !!python/object/apply:os.system [ls]",
            "line 2: the tag 'tag:yaml.org,2002:python/",
        ),
        ("a: !custom x", "line 1: the tag '!custom'"),
        ("a: 1\nb:\n\t- c", "line 3: .*a tab: YAML is indented with spaces"),
        ("a: &x [*x]", "line 1: the alias \\*x has no anchor ahead"),
        ("- " * 200, "line 1: YAML nested over 100 levels"),
        ("{a: " * 200, "line 1: YAML nested over 100 levels"),
        ("[" * 1_000_000, "line 1: .*(maximum nesting depth|nested over)"),
        ("a: 1\nb: 'open", "line 2: while scanning a quoted scalar"),
        ("a: 1\nb: \x00", "line 2: a character that YAML does not allow: #x0000"),
        ("a: \ud800", "line 1: half of a surrogate pair"),
        ("x" * 20_000_001, "YAML of over 20,000,000 characters"),
    ],
    ids=lambda value: value[:20],
)
def test_what_could_do_harm_is_refused_by_name_and_line(text: str, reason: str) -> None:
    with pytest.raises(UnparsableError, match=f"^here.yaml: {reason}"):
        compose(text, "here.yaml")


@given(st.text(alphabet=st.sampled_from("ab:-? \n\t[]{},&*!|>'\"#%@`é😀\ufeff0"), max_size=60))
def test_any_text_is_read_or_refused_and_every_node_stands_inside_its_parent(text: str) -> None:
    try:
        roots = compose(text)
    except UnparsableError:
        return
    waiting: list[object] = list(roots)
    while waiting:
        node = waiting.pop()
        children: list[object] = []
        if isinstance(node, Sequence):
            children = list(node.items)
        elif isinstance(node, Mapping):
            children = [part for entry in node.entries for part in entry]
        assert isinstance(node, (Scalar, Alias, Mapping, Sequence))
        assert 0 <= node.start <= node.end <= len(text)
        places = [place for child in children for place in (child.start, child.end)]  # type: ignore[attr-defined]
        assert places == sorted(places)
        assert not places or node.start <= places[0] <= places[-1] <= node.end
        waiting.extend(children)
