"""Whether what became of a bad input is right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from chunk_pipeline.chunking.registry import strategy
from tests.bad_inputs.case import Case
from tests.bad_inputs.pipeline import Put


def check(put: Put, case: Case, names: Sequence[str], *, knowing: Sequence[str] = ()) -> None:
    """Assert that a case ended as it must.

    Args:
        put: What became of the files.
        case: One of them.
        names: The strategies that cut it.
        knowing: Those that know its format, and so quarantine what is not of it; those that promise that
            chunks parse, unless said. The others cut its text as text and must lose nothing of it.
    """
    file = put.files[case.profile, case.path]
    if case.encoding:
        assert file["encoding"] == case.encoding
    knowing = knowing or [name for name in names if strategy(name).promises_integrity]
    for name in names:
        if case.right == "quarantined":
            _quarantined(put, case, name, name in knowing)
        elif case.right == "accepted":
            _accepted(put, case, name, name in knowing)
        else:
            _excluded(put, case, name, name in knowing)


def check_good_file(put: Put, path: str, source: str, names: Sequence[str]) -> None:
    """Assert that a good file beside the bad ones was cut by every strategy, and that each cut is proved."""
    assert put.chunks[source, path].keys() == set(names)
    for name in names:
        assert put.proofs[source, path][name].holds


def check_reasons(put: Put, cases: Iterable[Case]) -> None:
    """Assert that only files that must be are quarantined, and none by an error that nobody foresaw."""
    assert set(put.reasons) == {(each.profile, each.path) for each in cases if each.right == "quarantined"}
    reasons = [reason for of_strategy in put.reasons.values() for reason in of_strategy.values()]
    assert [reason for reason in reasons if re.match(r"\w*(Error|Exception)\b", reason)] == []


def _quarantined(put: Put, case: Case, name: str, knows: bool) -> None:
    reason = put.reason(case.profile, case.path, name)
    chunks = put.chunks.get((case.profile, case.path), {}).get(name, [])
    if knows or put.files[case.profile, case.path]["fate"] == "quarantined":
        assert case.says in reason.lower(), f"{name}: {reason}"
        assert reason, name
        assert chunks == [], name
    else:
        assert reason == "", name
        assert chunks, name
        assert put.proofs[case.profile, case.path][name].holds, name


def _accepted(put: Put, case: Case, name: str, knows: bool) -> None:
    key = (case.profile, case.path)
    assert put.files[key]["fate"] == "kept", put.files[key]["reason"]
    assert put.reason(*key, name) == ""
    assert put.chunks[key].get(name), name
    proof = put.proofs[key][name]
    assert proof.holds, (name, proof)
    if not knows:
        return
    assert proof.parsing == proof.chunks, name
    for held in case.holds:
        assert held in put.bodies(*key, name), (name, held[:80])
        # The chunks of CSV say what a cell is; that their words are those of the spans is in the proof.
        assert held in put.spans(*key, name) or strategy(name).format == "csv", (name, held[:80])
    if case.says:
        warnings = [each for row in put.chunks[key][name] for each in row["facts"]["warnings"]]
        assert any(case.says in each.lower() for each in warnings), warnings


def _excluded(put: Put, case: Case, name: str, knows: bool) -> None:
    key = (case.profile, case.path)
    file = put.files[key]
    if file["fate"] == "dropped":
        assert case.says in file["reason"]
        assert name not in put.chunks.get(key, {})
    elif knows:
        assert file["fate"] == "kept"
        assert put.chunks.get(key, {}).get(name, []) == []
        assert [row["reason"] for row in put.skips[key][name]] == [case.says]
    assert put.reasons.get(key, {}) == {}
