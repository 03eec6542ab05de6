"""All definitions, and the resources that may be put in their place.

Loads fast: no model library is imported until an asset needs it.
"""

from __future__ import annotations

import dagster as dg

from chunk_pipeline.chunking.registry import Strategy, strategies
from chunk_pipeline.corpus.sources import SourcesError
from chunk_pipeline.defs.catalog import assets as catalog_assets
from chunk_pipeline.defs.catalog import checks as catalog_checks
from chunk_pipeline.defs.chunks.assets import chunks_assets
from chunk_pipeline.defs.chunks.checks import chunks_checks
from chunk_pipeline.defs.corpus import assets as corpus_assets
from chunk_pipeline.defs.corpus import checks as corpus_checks
from chunk_pipeline.defs.embeddings.assets import embeddings_assets
from chunk_pipeline.defs.embeddings.checks import embeddings_checks
from chunk_pipeline.defs.evaluation.assets import evaluation_assets
from chunk_pipeline.defs.evaluation.checks import gold_resolves
from chunk_pipeline.defs.health import checks as health_checks
from chunk_pipeline.defs.heritage.assets import heritage_assets
from chunk_pipeline.defs.heritage.checks import heritage_checks
from chunk_pipeline.defs.indexes.assets import indexes_assets
from chunk_pipeline.defs.indexes.checks import indexes_checks
from chunk_pipeline.defs.jobs import evaluate, housekeeping, ingest
from chunk_pipeline.defs.logs import plain_console
from chunk_pipeline.defs.resources import workspace_from_environment
from chunk_pipeline.defs.schedules import schedules
from chunk_pipeline.defs.sensors import sensors
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace


def build_definitions(workspace: Workspace | None = None) -> dg.Definitions:
    """Assemble the code location.

    Args:
        workspace: Used by every asset; by default each run makes one from the environment.

    Returns:
        Assets and checks of the strategies that the sources file asks for, or of all where it does not load:
        the sensor says what is wrong with it.
    """
    chosen = _strategies(workspace)
    assets = [
        *dg.load_assets_from_modules([corpus_assets, catalog_assets]),
        *chunks_assets(chosen),
        *embeddings_assets(chosen),
        *heritage_assets(chosen),
        *indexes_assets(chosen),
        *evaluation_assets(chosen),
    ]
    checks = [
        *dg.load_asset_checks_from_modules([corpus_checks, catalog_checks, health_checks]),
        *chunks_checks(chosen),
        *embeddings_checks(chosen),
        *heritage_checks(chosen),
        *indexes_checks(chosen),
        gold_resolves,
    ]
    return dg.Definitions(
        assets=dg.with_source_code_references(assets),
        asset_checks=checks,
        jobs=[ingest, evaluate, housekeeping],
        sensors=sensors(),
        schedules=schedules(),
        executor=dg.in_process_executor,
        loggers={"console": plain_console},
        resources={"workspace": workspace or workspace_from_environment},
    )


def _strategies(workspace: Workspace | None) -> tuple[Strategy, ...]:
    try:
        return (workspace or Workspace(Settings())).strategies
    except SourcesError:
        return strategies()
