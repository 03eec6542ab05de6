"""All parsing cases of nst/JSONTestSuite through every strategy."""

from __future__ import annotations

from pathlib import Path

import pytest
from chunking_documents import NAMES, OURS, cut, document, proof_of

from chunk_pipeline.chunking.chunk import UnparsableError


def _cases(corpora: Path) -> list[tuple[str, str]]:
    """Name and text of the cases that decoding lets through."""
    cases = []
    for file in sorted((corpora / "corpora/bad_inputs/json_test_suite/test_parsing").iterdir()):
        try:
            cases.append((file.name, file.read_bytes().decode("utf-8-sig")))
        except UnicodeDecodeError:
            continue
    return cases


@pytest.mark.parametrize("name", NAMES)
def test_no_case_crashes_and_none_is_lost(name: str, corpora: Path) -> None:
    cases = _cases(corpora)
    assert len(cases) > 280
    for case, text in cases:
        try:
            proof = proof_of(name, document(text))
        except UnparsableError:
            assert name in OURS
            assert not case.startswith("y_"), case
        else:
            assert proof.holds, (case, proof)


@pytest.mark.parametrize("name", OURS)
def test_what_must_not_parse_gives_no_chunk(name: str, corpora: Path) -> None:
    for case, text in _cases(corpora):
        if not case.startswith("n_"):
            continue
        try:
            chunks, skips = cut(name, document(text))
        except UnparsableError:
            continue
        assert not text.strip(), case
        assert (chunks, [skip.reason for skip in skips]) == ([], ["blank document"])
