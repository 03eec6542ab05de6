"""Labelling: the kept files of a source with their category, language and attributes.

What the categories are is in ``categories``; which files are kept is in ``filtering``.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from chunk_pipeline.corpus.categories import category, language
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.warehouse.tables import FILES


def label_files(files: pa.Table, source: Source, by_suffix: Mapping[str, str] | None = None) -> pa.Table:
    """Label the kept files; the others keep their row, with nulls.

    Args:
        files: ``FILTERED_FILES`` rows of one source.
        source: That source; its metadata become attributes, sorted by key.
        by_suffix: Categories by suffix of the source's profile.

    Returns:
        ``FILES``, in the same order.
    """
    kept = [fate == "kept" for fate in files["fate"].to_pylist()]
    paths = files["path"].to_pylist()
    attributes = sorted(source.metadata.items())
    labels = {
        "category": [
            category(source.name, path, by_suffix) if keep else None
            for path, keep in zip(paths, kept, strict=True)
        ],
        "language": [language(path) if keep else None for path, keep in zip(paths, kept, strict=True)],
        "attributes": [attributes if keep else None for keep in kept],
    }
    columns = [
        pa.array(labels[field.name], field.type) if field.name in labels else files[field.name]
        for field in FILES.schema
    ]
    return pa.Table.from_arrays(columns, schema=FILES.schema).combine_chunks()
