"""Which texts have a vector, followed through a run that only would be made.

A run looks for a text's vector in every partition as it is at that moment: one that an earlier step would
drop is not found, one that it would make is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from chunk_pipeline.warehouse.parquet import DamagedTableError, Partition, Warehouse
from chunk_pipeline.warehouse.tables import VECTORS

Text = tuple[str, str]
"""Key of a model, digest of a text."""


class KnownVectors:
    """The texts that have a vector, by partition."""

    def __init__(self, warehouse: Warehouse, gone: Iterable[Partition] = ()) -> None:
        left_out = set(gone)
        self._of = {
            each: _texts(warehouse, each) for each in warehouse.partitions(VECTORS) if each not in left_out
        }
        self._held = Counter(text for texts in self._of.values() for text in texts)

    def replace(self, partition: Partition, texts: Iterable[Text]) -> list[Text]:
        """Give a partition these texts; returns those that would have to be encoded, sorted."""
        wanted = frozenset(texts)
        missing = sorted(text for text in wanted if not self._held[text])
        self._held.subtract(self._of.get(partition, frozenset()))
        self._held.update(wanted)
        self._of[partition] = wanted
        return missing


def _texts(warehouse: Warehouse, partition: Partition) -> frozenset[Text]:
    if warehouse.stored(VECTORS, partition) is None:
        return frozenset()
    try:
        rows = warehouse.read(VECTORS, partition, columns=["model", "text_sha256"])
    except DamagedTableError:
        return frozenset()
    return frozenset(zip(rows["model"].to_pylist(), rows["text_sha256"].to_pylist(), strict=True))
