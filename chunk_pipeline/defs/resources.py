"""Resources: the workspace that every asset is given."""

import logging
import time
from dataclasses import dataclass, field

import dagster as dg

from chunk_pipeline.defs.reaping import PROCESS, this_process
from chunk_pipeline.settings import Settings
from chunk_pipeline.stages.workspace import Workspace

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
            self.logger.info("%s: %d of %d", what, done, total)


@dg.resource(description="Tables, sources and models, by the settings of the environment.")
def workspace_from_environment(context: dg.InitResourceContext) -> Workspace:
    """A workspace for one run, its progress going to the run's log; tags the run with its process."""
    if context.run is not None and context.instance is not None:
        context.instance.add_run_tags(context.run.run_id, {PROCESS: this_process()})
    return Workspace(Settings(), LogProgress(context.log or logging.getLogger(__name__)))
