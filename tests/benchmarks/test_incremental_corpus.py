"""The edits of the incremental benchmark change what they say, and nothing else."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from benchmarks._incremental_corpus import (
    N_EDITS,
    chosen,
    edited,
    read,
    renamed,
    rewritten,
    shrunk,
    targets,
    write,
)
from benchmarks._incremental_store import SIZE, CountingEncoder, EncoderFailure, pieces, vectors_of

TEXT = "first words here\nmiddle\nlast words here\n"


def files_of(count: int) -> dict[str, str]:
    return {f"folder/{number:03}.md": f"File {number} says a word.\n" * 150 for number in range(count)}


def test_an_edit_changes_the_one_word_nearest_the_middle() -> None:
    before, after = TEXT.split(), edited(TEXT).split()
    assert [pair for pair in zip_longest(before, after) if pair[0] != pair[1]] == [
        ("middle", "middleChanged")
    ]


def test_an_edit_of_one_word_changes_one_or_two_pieces() -> None:
    text = files_of(1)["folder/000.md"]
    assert 1 <= len(set(pieces(edited(text))) - set(pieces(text))) <= 2


def test_a_text_without_a_word_cannot_be_edited() -> None:
    with pytest.raises(ValueError, match="no word"):
        edited("--- ***\n")


def test_a_rewritten_text_shares_no_piece_with_what_it_was() -> None:
    text = files_of(1)["folder/000.md"]
    assert not set(pieces(text)) & set(pieces(rewritten(text)))


def test_a_shrunk_text_is_its_first_half() -> None:
    assert TEXT.startswith(shrunk(TEXT))
    assert len(shrunk(TEXT)) == len(TEXT) // 2


def test_a_renamed_file_stays_in_its_folder() -> None:
    assert renamed("a/b/c.md") == "a/b/renamed_c.md"


def test_the_files_that_are_changed_are_all_different_and_always_the_same() -> None:
    files = files_of(20)
    found = targets(files)
    paths = [*found.edited, found.shrunk, found.deleted, found.renamed]
    assert len(found.edited) == N_EDITS
    assert len(set(paths)) == len(paths)
    assert set(paths) <= set(files)
    assert targets(dict(reversed(files.items()))) == found


def test_too_few_files_of_an_ordinary_size_are_refused() -> None:
    with pytest.raises(ValueError, match="needed"):
        targets(files_of(3))


def test_the_corpus_is_drawn_by_path_and_does_not_depend_on_order() -> None:
    files = files_of(20)
    drawn = chosen(files, 5)
    assert len(drawn) == 5
    assert list(drawn) == sorted(drawn)
    assert chosen(dict(reversed(files.items())), 5) == drawn
    with pytest.raises(ValueError, match="20 files"):
        chosen(files, 21)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    files = files_of(3) | {"a.md": "line\n\ttab é\n"}
    write(files, tmp_path)
    assert dict(read(tmp_path)) == files


def test_pieces_keep_the_limit_and_stand_in_the_text_in_order() -> None:
    text = files_of(1)["folder/000.md"]
    end = 0
    for piece in pieces(text):
        assert len(piece) <= SIZE
        end = text.index(piece, end) + len(piece)


def test_a_vector_is_decided_by_its_text_alone_and_has_length_1() -> None:
    one, two, again = vectors_of(["one", "two", "one"])
    assert (one == again).all()
    assert (one != two).any()
    assert float(one @ one) == pytest.approx(1, abs=1e-5)


def test_the_encoder_counts_texts_knows_them_and_fails_once_when_told() -> None:
    encoder = CountingEncoder("made")
    (vector,) = encoder.encode(["one"])
    encoder.encode(["two", "three"])
    assert encoder.count == 3
    assert encoder.text_of(vector) == "one"
    assert encoder.text_of(vectors_of(["never"])[0]) == ""
    encoder.failing = True
    with pytest.raises(EncoderFailure):
        encoder.encode(["four"])
    assert encoder.count == 3
    assert len(encoder.encode(["four"])) == 1
