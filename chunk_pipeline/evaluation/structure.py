"""The ``structure_metrics`` table: how a strategy cuts, whatever is asked of the chunks later.

Figures per category and over all: sizes of the chunks, whether they parse, whether every value is still
there, and how much more text is stored than there was. Whether the chunks are found belongs in ``metrics``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import strategy
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.evaluation.leaves import LeafCoverage, Piece, leaf_coverage
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.warehouse.tables import STRUCTURE_METRICS

Figure = tuple[float | None, int]
"""A value (``None`` where there is nothing to measure) and how many items it is over."""


@dataclass(slots=True)
class _Sources:
    """What is summed over the files of a category."""

    files: int = 0
    source_bytes: int = 0
    leaves: LeafCoverage = field(default_factory=LeafCoverage)


def structure_metrics(
    strategy_name: str,
    chunks: pa.Table,
    skips: pa.Table,
    files: pa.Table,
    contents: pa.Table,
    categories: frozenset[str] | None = None,
) -> pa.Table:
    """Structural metrics of one strategy.

    Args:
        strategy_name: The strategy.
        chunks: Its ``chunks``.
        skips: Its ``skips``.
        files: ``files`` of the repositories.
        contents: ``contents`` of the same.
        categories: Categories that the strategy was given; by default those that it declares.

    Returns:
        A ``structure_metrics`` table. Sizes are characters of the text, header included; ``p95`` is the 95th
        percentile with linear interpolation. ``oversized``, ``parse_integrity`` are shares of chunks,
        ``leaf_coverage`` and ``leaf_skipped`` (not found, but in a listed skip) shares of the leaves of JSON
        files, ``duplication`` the bytes of the chunks' text ÷ the bytes of the sources, both in UTF-8.

    Raises:
        KeyError: No such strategy.
        ValueError: A kept file has no content.
    """
    given = strategy(strategy_name).categories if categories is None else categories
    sources = _sources(chunks, skips, files, contents, given)
    rows: list[dict[str, object]] = []
    for category in (ALL, *sorted(sources)):
        of_it = chunks if category == ALL else chunks.filter(pc.equal(chunks["category"], category))
        summed = _total(sources.values()) if category == ALL else sources[category]
        for metric, (value, n) in {**_sizes(of_it), **_fidelity(of_it, summed)}.items():
            rows.append(
                {"strategy": strategy_name, "category": category, "metric": metric, "value": value, "n": n}
            )
    rows.sort(key=lambda row: (str(row["category"]), str(row["metric"])))
    return pa.Table.from_pylist(rows, schema=STRUCTURE_METRICS.schema)


def _sizes(chunks: pa.Table) -> dict[str, Figure]:
    """Counts and sizes of the chunks."""
    n = chunks.num_rows
    figures: dict[str, Figure] = {"chunks": (float(n), n)}
    sizes = np.asarray(chunks["n_chars"], dtype=np.float64)
    if n:
        figures["mean"] = (float(np.mean(sizes)), n)
        figures["median"], figures["p95"], figures["max"] = (
            (float(value), n) for value in np.percentile(sizes, [50, 95, 100])
        )
    else:
        figures |= dict.fromkeys(("mean", "median", "p95", "max"), (None, 0))
    for name, column in (("oversized", "oversized"), ("parse_integrity", "parses")):
        figures[name] = (float(np.asarray(chunks[column]).mean()), n) if n else (None, 0)
    return figures


def _fidelity(chunks: pa.Table, sources: _Sources) -> dict[str, Figure]:
    """What the chunks keep of their sources, and what they add."""
    stored = pc.sum(pc.binary_length(chunks["text"])).as_py() or 0
    leaves = sources.leaves
    return {
        "files": (float(sources.files), sources.files),
        "leaf_coverage": (_share(leaves.found, leaves.total), leaves.total),
        "leaf_skipped": (_share(leaves.skipped, leaves.total), leaves.total),
        "duplication": (_share(stored, sources.source_bytes), sources.source_bytes),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _sources(
    chunks: pa.Table, skips: pa.Table, files: pa.Table, contents: pa.Table, categories: frozenset[str]
) -> dict[str, _Sources]:
    """Sums over the files of each category that the strategy was given."""
    given = files.filter(pc.is_in(files["category"], pa.array(sorted(categories), pa.string())))
    pieces, left_out = _pieces(chunks), _skipped(skips)
    is_json = dict(zip(_names(given), pc.equal(given["language"], "json").to_pylist(), strict=True))
    sums: dict[str, _Sources] = {}
    for document in documents_of(given, contents):
        of_category = sums.setdefault(document.category, _Sources())
        of_category.files += 1
        of_category.source_bytes += len(document.text.encode())
        if is_json[document.name]:
            of_category.leaves += _leaves(document, pieces, left_out)
    return sums


def _leaves(
    document: Document,
    pieces: Mapping[str, list[Piece]],
    skips: Mapping[str, list[tuple[int, int]]],
) -> LeafCoverage:
    return leaf_coverage(document.text, pieces.get(document.name, []), skips.get(document.name, []))


def _total(sums: Iterable[_Sources]) -> _Sources:
    total = _Sources()
    for each in sums:
        total.files += each.files
        total.source_bytes += each.source_bytes
        total.leaves += each.leaves
    return total


def _pieces(chunks: pa.Table) -> dict[str, list[Piece]]:
    """Chunks by the name of their file."""
    by_file: dict[str, list[Piece]] = defaultdict(list)
    columns = (chunks[name].to_pylist() for name in ("body", "parses", "spans"))
    for name, body, parses, spans in zip(_names(chunks), *columns, strict=True):
        by_file[name].append(Piece(body, parses, tuple((span["start"], span["end"]) for span in spans)))
    return by_file


def _skipped(skips: pa.Table) -> dict[str, list[tuple[int, int]]]:
    """Skipped stretches by the name of their file."""
    by_file: dict[str, list[tuple[int, int]]] = defaultdict(list)
    columns = (skips[name].to_pylist() for name in ("start", "end"))
    for name, start, end in zip(_names(skips), *columns, strict=True):
        by_file[name].append((start, end))
    return by_file


def _names(table: pa.Table) -> list[str]:
    """``<repository>/<path>`` of each row."""
    names: list[str] = pc.binary_join_element_wise(table["repository"], table["path"], "/").to_pylist()
    return names
