"""The ``structure_metrics`` table: how a strategy cuts, whatever is asked of the chunks later.

Figures per category and over all: sizes of the chunks, whether they parse, whether every value is still
there, and how much more text is stored than there was. Whether the chunks are found belongs in ``metrics``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from chunk_pipeline.chunking.budgeted import BudgetedStrategy
from chunk_pipeline.chunking.integrity import counted
from chunk_pipeline.chunking.registry import Strategy, strategy
from chunk_pipeline.chunking.slices import slice_is_whole
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.evaluation.judgements import Bool
from chunk_pipeline.evaluation.leaves import LeafCoverage, Piece, leaf_coverage
from chunk_pipeline.evaluation.sample import ALL
from chunk_pipeline.warehouse.tables import STRUCTURE_METRICS

Figure = tuple[float | None, int]
"""A value (``None`` where there is nothing to measure) and how many items it is over."""


@dataclass(slots=True)
class _Sources:
    """What is summed over the files of a category that were cut."""

    files: int = 0
    uncut: int = 0
    source_bytes: int = 0
    characters: int = 0
    covered: int = 0
    leaves: LeafCoverage = field(default_factory=LeafCoverage)


def structure_metrics(
    strategy_name: str, chunks: pa.Table, skips: pa.Table, files: pa.Table, contents: pa.Table
) -> pa.Table:
    """Structural metrics of one strategy.

    Args:
        strategy_name: The strategy.
        chunks: Its ``chunks``.
        skips: Its ``skips``.
        files: ``files`` of the repositories.
        contents: ``contents`` of the same.

    Returns:
        A ``structure_metrics`` table. Sizes are characters of the text, header included; ``p95`` is the least
        size that at least 95% of the chunks do not exceed (nearest rank). Shares of chunks are ``over_limit``
        (longer than the strategy's limit in characters, or in tokens of tiktoken where it measures in
        tokens), ``oversized`` (than 1.5 times the limit in characters), ``parse_integrity``, ``fallbacks``
        (cut in another way than the strategy's own, for a reason that they name) and ``broken`` (neither
        parse nor name such a reason). A text strategy's chunks are held to the format of their file, like
        those of the strategies that they are compared with (``slices``). ``leaf_coverage`` and
        ``leaf_skipped`` (not found, but in a listed skip) are shares of the leaves of JSON files, ``cover``
        the share of characters that count which are in a chunk or a skip, ``duplication`` the bytes of the
        chunks' text ÷ those of the sources, in UTF-8. Files with neither a chunk nor a skip, as a strategy's
        quarantine leaves them, are counted in ``files_uncut`` alone.

    Raises:
        KeyError: No such strategy.
        ValueError: A kept file has no content.
    """
    used = strategy(strategy_name)
    sources = _sources(used, _held(chunks, skips), files, contents)
    parsing = _parsing(used, chunks)
    found: list[dict[str, object]] = []
    for category in (ALL, *sorted(sources)):
        rows = pc.equal(chunks["category"], category) if category != ALL else pc.is_valid(chunks["category"])
        of_it = chunks.filter(rows)
        summed = _total(sources.values()) if category == ALL else sources[category]
        shares = _shares(of_it, parsing[np.asarray(rows, dtype=bool)], used)
        for metric, (value, n) in {**_sizes(of_it), **shares, **_fidelity(of_it, summed)}.items():
            found.append(
                {"strategy": strategy_name, "category": category, "metric": metric, "value": value, "n": n}
            )
    found.sort(key=lambda row: (str(row["category"]), str(row["metric"])))
    return pa.Table.from_pylist(found, schema=STRUCTURE_METRICS.schema)


def _sizes(chunks: pa.Table) -> dict[str, Figure]:
    """Counts and sizes of the chunks."""
    n = chunks.num_rows
    figures: dict[str, Figure] = {"chunks": (float(n), n)}
    sizes = np.asarray(chunks["n_chars"], dtype=np.float64)
    if n:
        figures["mean"] = (float(np.mean(sizes)), n)
        figures["median"] = (float(np.median(sizes)), n)
        figures["p95"] = (float(np.percentile(sizes, 95, method="inverted_cdf")), n)
        figures["max"] = (float(np.max(sizes)), n)
    else:
        figures |= dict.fromkeys(("mean", "median", "p95", "max"), (None, 0))
    return figures


def _parsing(used: Strategy, chunks: pa.Table) -> Bool:
    """Whether each chunk parses on its own, shape (chunks,)."""
    parsing = chunks["parses"].to_pylist()
    if used.format == "text":
        columns = (chunks[name].to_pylist() for name in ("category", "path", "opening", "body", "closing"))
        for place, (category, path, *passage) in enumerate(zip(*columns, strict=True)):
            parsing[place] = slice_is_whole(category, path, "".join(passage))
    return np.array(parsing, dtype=bool)


def _shares(chunks: pa.Table, parsing: Bool, used: Strategy) -> dict[str, Figure]:
    """Shares of the chunks."""
    n = chunks.num_rows
    fallback = np.asarray(pc.is_valid(pc.struct_field(chunks["metadata"], "fallback")), dtype=bool)
    counted = {
        "over_limit": _over_limit(chunks, used),
        "oversized": np.asarray(chunks["oversized"], dtype=bool),
        "parse_integrity": parsing,
        "fallbacks": fallback,
        "broken": ~parsing & ~fallback,
    }
    return {name: (float(held.mean()), n) if n else (None, 0) for name, held in counted.items()}


def _over_limit(chunks: pa.Table, used: Strategy) -> Bool:
    """Which chunks are over the strategy's limit, in characters or in tokens of tiktoken."""
    if isinstance(used, BudgetedStrategy):
        return np.asarray(chunks["n_tokens"], dtype=np.int64) > used.max_tokens
    return np.asarray(chunks["n_chars"], dtype=np.int64) > used.limit


def _fidelity(chunks: pa.Table, sources: _Sources) -> dict[str, Figure]:
    """What the chunks keep of their sources, and what they add."""
    stored = pc.sum(pc.binary_length(chunks["text"])).as_py() or 0
    leaves = sources.leaves
    return {
        "files": (float(sources.files), sources.files),
        "files_uncut": (float(sources.uncut), sources.files + sources.uncut),
        "leaf_coverage": (_share(leaves.found, leaves.total), leaves.total),
        "leaf_skipped": (_share(leaves.skipped, leaves.total), leaves.total),
        "cover": (_share(sources.covered, sources.characters), sources.characters),
        "duplication": (_share(stored, sources.source_bytes), sources.source_bytes),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(slots=True)
class _Held:
    """What a strategy made of a file."""

    pieces: list[Piece] = field(default_factory=list)
    skips: list[tuple[int, int]] = field(default_factory=list)


def _sources(
    used: Strategy, held: Mapping[str, _Held], files: pa.Table, contents: pa.Table
) -> dict[str, _Sources]:
    """Sums over the files of each category that the strategy was given."""
    labels = zip(files["category"].to_pylist(), files["language"].to_pylist(), strict=True)
    given = files.filter(pa.array([used.takes(*each) for each in labels], pa.bool_()))
    sums: dict[str, _Sources] = {}
    for document in documents_of(given, contents):
        of_category = sums.setdefault(document.category, _Sources())
        of_file = held.get(document.name)
        if of_file is None:
            of_category.uncut += 1
            continue
        of_category.files += 1
        of_category.source_bytes += len(document.text.encode())
        characters, covered = _cover(document.text, of_file, used.format)
        of_category.characters += characters
        of_category.covered += covered
        if used.format == "json":
            of_category.leaves += leaf_coverage(document.text, of_file.pieces, of_file.skips)
    return sums


def _cover(text: str, held: _Held, form: str) -> tuple[int, int]:
    """(characters that count, those of them in some chunk or skip)."""
    counts = counted(text, form)
    inside = np.zeros(len(text), dtype=bool)
    for start, end in chain(held.skips, *(piece.spans for piece in held.pieces)):
        inside[start:end] = True
    return int(counts.sum()), int((counts & inside).sum())


def _total(sums: Iterable[_Sources]) -> _Sources:
    total = _Sources()
    for each in sums:
        total.files += each.files
        total.uncut += each.uncut
        total.source_bytes += each.source_bytes
        total.characters += each.characters
        total.covered += each.covered
        total.leaves += each.leaves
    return total


def _held(chunks: pa.Table, skips: pa.Table) -> dict[str, _Held]:
    """Chunks and skips by the name of their file."""
    by_file: dict[str, _Held] = defaultdict(_Held)
    columns = (chunks[name].to_pylist() for name in ("opening", "body", "closing", "parses", "spans"))
    for name, opening, body, closing, whole, spans in zip(_names(chunks), *columns, strict=True):
        held = tuple((span["start"], span["end"]) for span in spans)
        piece = Piece(opening + body + closing, whole, held)
        by_file[name].pieces.append(piece)
    bounds = (skips[name].to_pylist() for name in ("start", "end"))
    for name, start, end in zip(_names(skips), *bounds, strict=True):
        by_file[name].skips.append((start, end))
    return dict(by_file)


def _names(table: pa.Table) -> list[str]:
    """``<repository>/<path>`` of each row."""
    names: list[str] = pc.binary_join_element_wise(table["repository"], table["path"], "/").to_pylist()
    return names
