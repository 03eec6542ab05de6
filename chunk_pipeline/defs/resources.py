"""Resources: the workspace that every asset is given."""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import dagster as dg

from chunk_pipeline.defs.keys import PARTITION_TAG
from chunk_pipeline.defs.reaping import PROCESS, this_process
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.plain_text import plain_text
from chunk_pipeline.warehouse.turns import turn
from chunk_pipeline.warehouse.unreported import reporting

SECONDS_BETWEEN_LINES = 5.0


@dataclass
class LogProgress:
    """Progress as log lines, at most one every few seconds for each kind of work."""

    logger: logging.Logger
    _last: dict[str, float] = field(default_factory=dict)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Log a line if the last one is old enough."""
        now = time.monotonic()
        if done < total and now - self._last.setdefault(what, now) >= SECONDS_BETWEEN_LINES:
            self._last[what] = now
            self.logger.info("%s: %d of %d", plain_text(what), done, total)


@dg.resource(description="Tables, sources and models, by the settings of the environment.")
def workspace_from_environment(context: dg.InitResourceContext) -> Iterator[Workspace]:
    """A workspace for one run, its progress going to the run's log; tags the run with its process.

    A run of a partition shares the tables with others like it; a run without one has them for itself.
    """
    logger = context.log or logging.getLogger(__name__)
    workspace = Workspace(Settings(), LogProgress(logger))
    if context.run is None or context.instance is None:
        yield workspace
        return
    context.instance.add_run_tags(context.run.run_id, {PROCESS: this_process()})

    def waiting() -> None:
        logger.info("waiting for the runs that are working on the tables")

    key = context.run.tags.get(PARTITION_TAG)
    with (
        turn(workspace.warehouse, alone=key is None, waiting=waiting),
        reporting(workspace.warehouse, key or context.run.job_name),
    ):
        yield workspace
