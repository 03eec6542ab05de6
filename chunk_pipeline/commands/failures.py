"""Errors that a person can act on, each with its exit code; whatever is not listed is a fault of ours."""

from __future__ import annotations

from dataclasses import dataclass

from chunk_pipeline.corpus.entry import SourceUnreachableError
from chunk_pipeline.corpus.sources import SourcesError
from chunk_pipeline.embedding.compute import ComputeError
from chunk_pipeline.embedding.models import ModelError
from chunk_pipeline.stages.corpus import NotMaterializedError
from chunk_pipeline.warehouse.catalog import CatalogError
from chunk_pipeline.warehouse.parquet import ConcurrentRunError
from chunk_pipeline.warehouse.store_format import StoreFormatError

FAILED = 1
BAD_USAGE = 2


class UsageError(ValueError):
    """Arguments that do not fit; the message says which and what would."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One message for a person, and an exit code for a script."""

    message: str
    code: int


def explain(error: BaseException) -> Failure | None:
    """The failure that an error means to a person, or ``None`` for an error that should not happen."""
    if isinstance(error, (SourcesError, ModelError, ComputeError, StoreFormatError, UsageError)):
        return Failure(f"error: {error}", BAD_USAGE)
    if isinstance(error, (SourceUnreachableError, NotMaterializedError, CatalogError, ConcurrentRunError)):
        return Failure(f"error: {error}", FAILED)
    if isinstance(error, OSError):
        return Failure(f"error: {error}", FAILED)
    return None
