"""The chunk viewer's data: a sample of files, each with the ways in which strategies cut it.

The page holds it as one piece of JSON, text once and cuts as offsets, and draws the file that a reader
chooses (``templates/viewer_*.js``). Which files are taken is decided in ``viewer_sample``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import Strategy, strategies
from chunk_pipeline.chunking.syntax import parses
from chunk_pipeline.evaluation.viewer_cuts import Entry, Row, Strings, cut_entry
from chunk_pipeline.evaluation.viewer_json import script_json
from chunk_pipeline.evaluation.viewer_limits import limit_of
from chunk_pipeline.evaluation.viewer_sample import (
    LONGEST,
    Candidate,
    FileKey,
    candidates_of,
    in_order_of_taking,
)

FILES = 40
"""Files in a page."""

BYTES = 600_000
"""Bytes of a page's JSON; a file that would not fit is passed over for one that does."""

_AT_HAND = 2
"""Times ``FILES`` that are looked at, so that files that do not fit can be replaced."""

_CUT_COLUMNS = (
    "repository",
    "path",
    "unit",
    "spans",
    "header",
    "opening",
    "body",
    "closing",
    "n_chars",
    "n_tokens",
    "overlap",
    "parses",
    "metadata",
)

_PLAIN = ("_recursive", "_recursive_text")
"""Ends of the names of the strategies that know nothing of the format."""

Rows = Mapping[FileKey, list[dict[str, Any]]]


def viewer_payload(
    files: pa.Table,
    contents: pa.Table,
    chunks: Mapping[str, pa.Table],
    skips: pa.Table,
    recommended: Mapping[str, str] | None = None,
    *,
    most_files: int = FILES,
    most_bytes: int = BYTES,
) -> dict[str, Any]:
    """What the viewer shows, ready for ``script_json``; the same tables give the same payload.

    Args:
        files: A ``files`` table.
        contents: The ``contents`` of the same repositories.
        chunks: ``chunks`` of each strategy; each table is asked for twice, so it may be read on demand.
        skips: ``skips`` of all strategies.
        recommended: Strategy by category: what the first column shows.
        most_files: Files that are taken at most.
        most_bytes: Size of the JSON at most, but for its outermost keys.

    Returns:
        ``of`` (files that any strategy has cut), ``longest`` (characters of a file shown at most),
        ``strategies`` (``name``, ``limit`` in characters or 0, ``summary``) and ``files``: ``repository``,
        ``path``, ``category``, ``language``, ``oddities``, ``text``, ``characters`` (of the whole file),
        ``first`` (numbers of the strategies to begin with), ``strings``, and ``cuts`` as ``cut_entry`` makes
        them. Files are sorted by repository and path; offsets count UTF-16 code units.
    """
    names = sorted(chunks)
    skips = skips.filter(pc.is_in(skips["strategy"], pa.array(names, pa.string())))
    candidates = candidates_of(files, contents, chunks, skips)
    order = in_order_of_taking(candidates)[: _AT_HAND * most_files]
    texts = _texts(order, contents)
    known = {each.name: each for each in strategies()}
    entries = {each.key: _file(each, texts[each.key]) for each in order}
    words: dict[FileKey, Strings] = {key: Strings() for key in entries}
    described = []
    for number, name in enumerate(names):
        cut, left_out = _of_files(chunks[name], order), _of_strategy(skips, name, order)
        described.append(_described(name, limit_of(chunks[name]), known.get(name)))
        for key in sorted(cut.keys() | left_out.keys()):
            rows = _judged(cut.get(key, ()), entries[key]["category"], known.get(name))
            text = entries[key]["text"]
            entry = cut_entry(number, rows, left_out.get(key, ()), text, words[key])
            entries[key]["cuts"].append(entry)
    for key, entry in entries.items():
        entry["strings"] = words[key].all
        entry["first"] = _first(entry, names, recommended or {})
    fitting = _fitting(entries.values(), most_files, most_bytes)
    shown = sorted(fitting, key=lambda entry: (entry["repository"], entry["path"]))
    return {"of": len(candidates), "longest": LONGEST, "strategies": described, "files": shown}


def _file(candidate: Candidate, text: str) -> Entry:
    return {
        "repository": candidate.repository,
        "path": candidate.path,
        "category": candidate.category,
        "language": candidate.language,
        "oddities": list(candidate.oddities),
        "text": text[:LONGEST],
        "characters": candidate.characters,
        "cuts": [],
    }


def _described(name: str, limit: int, known: Strategy | None) -> dict[str, Any]:
    return {"name": name, "limit": limit, "summary": known.summary if known else ""}


def _texts(candidates: Iterable[Candidate], contents: pa.Table) -> dict[FileKey, str]:
    wanted = {(each.repository, each.content_sha256): each.key for each in candidates}
    digests = pa.array(sorted({digest for _, digest in wanted}), pa.string())
    rows = contents.filter(pc.is_in(contents["content_sha256"], digests)).to_pylist()
    texts = {(row["repository"], row["content_sha256"]): row["text"] for row in rows}
    return {each.key: texts[each.repository, each.content_sha256] for each in candidates}


def _of_files(table: pa.Table, candidates: Iterable[Candidate]) -> Rows:
    """Rows of ``chunks`` by file, in order, of these files alone."""
    wanted = {each.key for each in candidates}
    paths = pa.array(sorted({path for _, path in wanted}), pa.string())
    near = table.filter(pc.is_in(table["path"], paths))
    near = near.sort_by([("repository", "ascending"), ("path", "ascending"), ("ordinal", "ascending")])
    return _by_file(near.select(_CUT_COLUMNS).to_pylist(), wanted)


def _of_strategy(skips: pa.Table, name: str, candidates: Iterable[Candidate]) -> Rows:
    """Rows of ``skips`` of a strategy by file, in order, of these files alone."""
    own = skips.filter(pc.equal(skips["strategy"], name))
    own = own.sort_by([("repository", "ascending"), ("path", "ascending"), ("start", "ascending")])
    return _by_file(own.to_pylist(), {each.key for each in candidates})


def _by_file(rows: Iterable[dict[str, Any]], wanted: set[FileKey]) -> Rows:
    grouped = groupby(rows, key=lambda row: (row["repository"], row["path"]))
    return {key: list(of_file) for key, of_file in grouped if key in wanted}


def _judged(rows: Sequence[dict[str, Any]], category: str, known: Strategy | None) -> Sequence[Row]:
    """The rows, a text strategy's chunks of Markdown held to Markdown as the report's figures hold them."""
    if known is None or known.format != "text" or category != "markdown":
        return rows
    return [
        {**row, "parses": parses("markdown", row["opening"] + row["body"] + row["closing"])} for row in rows
    ]


def _first(entry: Entry, names: Sequence[str], recommended: Mapping[str, str]) -> list[int]:
    """The strategies of the first two columns: the recommended one, and the plain one or another."""
    cutting = [cut["strategy"] for cut in entry["cuts"]]
    best = [number for number in cutting if names[number] == recommended.get(entry["category"])]
    plain = [number for number in cutting if names[number].endswith(_PLAIN)]
    plain += [number for number in cutting if names[number] == "recursive"]
    aware = [number for number in cutting if names[number].endswith("_syntax")]
    return list(dict.fromkeys([*(best or aware), *plain, *aware, *cutting]))[:2]


def _fitting(entries: Iterable[Entry], most_files: int, most_bytes: int) -> Iterator[Entry]:
    """The first entries that fit together."""
    left, room = most_files, most_bytes
    for entry in entries:
        size = len(script_json(entry).encode())
        if left and size <= room:
            left, room = left - 1, room - size
            yield entry
