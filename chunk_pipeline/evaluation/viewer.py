"""The chunk viewer's data: a sample of files, each with the ways in which strategies cut it.

The page holds it as one piece of JSON, text once and cuts as offsets, and draws the file that a reader
chooses (``templates/viewer_*.js``). Which files are taken is decided in ``viewer_sample``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.registry import strategies
from chunk_pipeline.evaluation.viewer_cuts import Entry, Strings, cut_entry
from chunk_pipeline.evaluation.viewer_json import script_json
from chunk_pipeline.evaluation.viewer_limits import limit_of
from chunk_pipeline.evaluation.viewer_rows import chunk_rows, refusals, skip_rows, texts_of
from chunk_pipeline.evaluation.viewer_sample import LONGEST, Candidate, candidates_of, in_order_of_taking

FILES = 40
"""Files in a page."""

BYTES = 600_000
"""Bytes of a page's JSON; a file that would not fit is passed over for one that does."""

_AT_HAND = 2
"""Times ``FILES`` that are looked at, so that files that do not fit can be replaced."""

_PLAIN = ("_recursive", "_recursive_text")
"""Ends of the names of the strategies that know nothing of the format."""


def viewer_payload(
    files: pa.Table,
    contents: pa.Table,
    chunks: Mapping[str, pa.Table],
    skips: pa.Table,
    quarantine: pa.Table,
    recommended: Mapping[str, str],
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
        quarantine: ``quarantine`` of all stages.
        recommended: Strategy by category: what the first column shows.
        most_files: Files that are taken at most.
        most_bytes: Size of the JSON at most.

    Returns:
        ``of`` (files that any strategy has cut), ``longest`` (characters of a file shown at most),
        ``strategies`` (``name``, ``limit`` in characters or 0, ``summary``) and ``files``: ``repository``,
        ``path``, ``category``, ``language``, ``oddities``, ``text``, ``characters`` (of the whole file),
        ``first`` (numbers of the strategies to begin with), ``strings``, ``cuts`` as ``cut_entry`` makes
        them, and ``refused`` (number of a strategy that could not cut it, and why). Files are sorted by
        repository and path; offsets count UTF-16 code units.
    """
    names = sorted(chunks)
    skips = skips.filter(pc.is_in(skips["strategy"], pa.array(names, pa.string())))
    candidates = candidates_of(files, contents, chunks, skips)
    order = in_order_of_taking(candidates)[: _AT_HAND * most_files]
    entries, described = _entries(order, contents, chunks, skips, quarantine)
    for entry in entries:
        entry["first"] = _first(entry, names, recommended.get(entry["category"], ""))
    payload = {"of": len(candidates), "longest": LONGEST, "strategies": described, "files": []}
    fitting = _fitting(entries, most_files, most_bytes - len(script_json(payload)))
    return {**payload, "files": sorted(fitting, key=lambda entry: (entry["repository"], entry["path"]))}


def _entries(
    order: Sequence[Candidate],
    contents: pa.Table,
    chunks: Mapping[str, pa.Table],
    skips: pa.Table,
    quarantine: pa.Table,
) -> tuple[list[Entry], list[Entry]]:
    """The files with all of their cuts, and the strategies; one strategy's rows are held at a time."""
    texts = texts_of(order, contents)
    entries = {each.key: _file(each, texts[each.key]) for each in order}
    words = {key: Strings() for key in entries}
    known = {each.name: each for each in strategies()}
    described = []
    for number, name in enumerate(sorted(chunks)):
        table, strategy = chunks[name], known.get(name)
        summary = strategy.summary if strategy else ""
        described.append({"name": name, "limit": limit_of(table), "summary": summary})
        cut, left_out = chunk_rows(table, order, strategy), skip_rows(skips, name, order)
        for key in sorted({*cut, *left_out}):
            text = entries[key]["text"]
            rows = cut_entry(number, cut.get(key, ()), left_out.get(key, ()), text, words[key])
            entries[key]["cuts"].append(rows)
        for key, errors in refusals(quarantine, name, order).items():
            entries[key]["refused"] += [[number, words[key].number(row["error"])] for row in errors]
    for key, entry in entries.items():
        entry["strings"] = words[key].all
    return list(entries.values()), described


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
        "refused": [],
    }


def _first(entry: Entry, names: Sequence[str], recommended: str) -> list[int]:
    """The strategies of the first two columns: the recommended one, and the plain one or another."""
    cutting = [cut["strategy"] for cut in entry["cuts"]]
    best = [number for number in cutting if names[number] == recommended]
    plain = [number for number in cutting if names[number].endswith(_PLAIN)]
    plain += [number for number in cutting if names[number] == "recursive"]
    aware = [number for number in cutting if names[number].endswith("_syntax")]
    return list(dict.fromkeys([*(best or aware), *plain, *aware, *cutting]))[:2]


def _fitting(entries: Iterable[Entry], most_files: int, most_bytes: int) -> Iterator[Entry]:
    """The first entries that fit together."""
    left, room = most_files, most_bytes
    for entry in entries:
        size = len(script_json(entry).encode()) + 1
        if left and size <= room:
            left, room = left - 1, room - size
            yield entry
