"""The region cutter on brackets and words, where every piece must balance."""

from __future__ import annotations

import pytest
from brackets import balanced, regions

from chunk_pipeline.chunking.regions import Piece, Region, Trim, cut_regions, trim_blank_lines, trim_space


def cut(
    text: str, limit: int, root: Region | None = None, room: int = 0, trim: Trim = trim_space
) -> list[Piece]:
    return list(cut_regions(text, root or regions(text), limit, lambda label: room, trim))


def passages(text: str, limit: int, root: Region | None = None, room: int = 0) -> list[str]:
    """Each piece with what is written around its body set off by bars."""
    return [
        f"{each.opening}|{text[each.start : each.end]}|{each.closing}"
        for each in cut(text, limit, root, room)
    ]


def test_what_fits_is_one_piece() -> None:
    assert passages("  (a b) c\n", 20) == ["|(a b) c|"]


def test_whole_regions_are_merged_up_to_the_limit() -> None:
    assert passages("(a b) (c) (d e f) (g)", 10) == ["|(a b) (c)|", "|(d e f)|", "|(g)|"]


def test_a_region_over_the_limit_is_closed_behind_a_piece_and_opened_ahead_of_the_next() -> None:
    assert passages("(aaa [bbb ccc ddd] eee)", 11) == [
        "|(aaa|)",
        "(|[bbb ccc|])",
        "([|ddd]|)",
        "(|eee)|",
    ]


def test_the_end_of_a_region_is_joined_with_what_follows_only_if_it_is_small() -> None:
    small = "[" + " ".join(["aaaa"] * 9) + "] (bb) (cc) " + "d" * 40
    assert passages(small, 41)[1:] == ["[|aaaa] (bb) (cc)|", f"|{'d' * 40}|"]
    large = "[" + " ".join(["aaaa"] * 12) + "] (bb) (cc) " + "d" * 40
    assert passages(large, 41)[1:] == ["[|aaaa aaaa aaaa aaaa]|", "|(bb) (cc)|", f"|{'d' * 40}|"]


def test_a_piece_ends_at_an_outer_boundary_once_it_is_full_enough() -> None:
    assert passages("(aaaaaaaa [bb] [cccccc dddddd])", 24)[0] == "|(aaaaaaaa [bb]|)"


def test_room_is_kept_for_a_header() -> None:
    assert len(cut("a b c d", 7)) == 1
    assert passages("a b c d", 7, room=4) == ["|a b|", "|c d|"]


def test_a_part_that_cannot_be_taken_apart_stays_whole_over_the_limit() -> None:
    assert passages("a (bbbbbbbbbbbbb) c", 6) == ["|a|", "|(bbbbbbbbbbbbb)|", "|c|"]


def test_brackets_are_a_piece_of_their_own_where_they_do_not_fit_beside_what_is_in_them() -> None:
    text = "([   bbbbbbbb\n\n\n])"
    assert passages(text, 12) == ["|([|])", "([|bbbbbbbb|])", "([|])|"]


def test_a_region_alone_is_not_joined_with_its_neighbours() -> None:
    text = "a {b} {c} d"
    assert passages(text, 30, regions(text, alone="{")) == ["|a|", "|{b}|", "|{c}|", "|d|"]


def test_openings_start_anew_in_a_region_alone() -> None:
    text = "(a (b (c cccc ccccc) bb) a)"
    assert passages(text, 9, regions(text, deepest=1)) == [
        "|(a|)",
        "|(b|)",
        "|(c cccc|)",
        "(|ccccc)|",
        "(|bb)|",
        "(|a)|",
    ]


def test_a_root_without_parts_is_one_piece_with_the_roots_own_ends() -> None:
    assert cut(" a b ", 2, Region(0, 5, opening="<", closing=">", label="root")) == [
        Piece(1, 4, "<", ">", "root")
    ]
    assert cut("  \n", 9) == []


def test_labels_tell_the_region_in_which_a_piece_begins() -> None:
    assert [each.label for each in cut("(aaa [bbb ccc] ddd)", 9)] == ["", "(", "([", "("]


def test_depth_costs_no_stack_and_no_quadratic_memory() -> None:
    depth = 30_000
    text = "[" * depth + "x" + "]" * depth
    pieces = cut(text, 500, regions(text, deepest=20))
    assert sum(each.end - each.start for each in pieces) == len(text)
    assert all(balanced(each.opening + text[each.start : each.end] + each.closing) for each in pieces)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("\n \n    a\n", "    a"), ("  a", "  a"), (" \r\n\ta \n", "\ta"), ("\r b", " b"), (" \n ", "")],
)
def test_blank_lines_go_and_the_first_lines_indentation_stays(text: str, kept: str) -> None:
    start, end = trim_blank_lines(text, 0, len(text))
    assert text[start:end] == kept
    assert text[slice(*trim_space(text, 0, len(text)))] == kept.strip()


def test_a_long_run_of_white_space_is_trimmed() -> None:
    text = " " * 100_000 + "a" + "\n" * 100_000
    assert trim_space(text, 0, len(text)) == (100_000, 100_001)


def test_pieces_keep_the_indentation_that_trimming_keeps() -> None:
    text = "a a\n\n   b b\n   c c\n"
    root = Region(0, len(text), lambda: [Region(0, 3), Region(3, 11), Region(11, len(text))])
    pieces = cut(text, 6, root, trim=trim_blank_lines)
    assert [text[each.start : each.end] for each in pieces] == ["a a", "   b b", "   c c"]
