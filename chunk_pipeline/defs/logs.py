"""The log of runs on the terminal of whoever serves the UI: Dagster's own, with nothing in it that acts.

A step that fails logs its error, and an error may quote a file. The UI shows text as text; a terminal obeys.
Dagster takes a code location's logger only where the run's configuration names it, so our jobs do. A run of
assets chosen in the UI has no job of ours: there what assets log is plain, the text of an error is not.
"""

from __future__ import annotations

import copy
import logging

import dagster as dg

from chunk_pipeline.warehouse.plain_text import plain_lines

TO_PLAIN_CONSOLE = {"loggers": {"console": {"config": {"log_level": "DEBUG"}}}}
"""Configuration of a run: its log goes to ``plain_console``, all of it as Dagster does by itself."""


class PlainFormatter(logging.Formatter):
    """Formats as another one does, after what acts in the message was written out."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self._formatter = formatter

    def format(self, record: logging.LogRecord) -> str:
        """The record as lines; the record itself goes on to other handlers as it is."""
        plain = copy.copy(record)
        plain.msg, plain.args = plain_lines(record.getMessage()), ()
        return self._formatter.format(plain)


def _plain_console(context: dg.InitLoggerContext) -> logging.Logger:
    logger = dg.colored_console_logger.logger_fn(context)
    for handler in logger.handlers:
        handler.setFormatter(PlainFormatter(handler.formatter or logging.Formatter()))
    return logger


plain_console = dg.LoggerDefinition(
    _plain_console,
    config_schema=dg.colored_console_logger.config_schema,
    description="Dagster's console logger; what would act on the terminal is written out.",
)
