"""Cuts documents with a strategy, those that are unusual in a process of their own.

A parser in C cannot be interrupted, and one that crashes takes its process with it. So a large or deep
document is cut in another process, held to a time and a memory budget (``isolation``): what is too much for
it, is quarantined and the others go on. Its rows are those that the same call gives here. What does not
belong here: which documents are cut, and their tables.
"""

from __future__ import annotations

import logging

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.chunking.registry import Strategy
from chunk_pipeline.chunking.rows import Row, cut_rows
from chunk_pipeline.chunking.unusual import is_unusual
from chunk_pipeline.isolation.process import Isolated, NotSendableError

_logger = logging.getLogger(__name__)


class Cutter:
    """Cuts documents with one strategy.

    A strategy that needs an encoder, or cannot be sent to another process, cuts all documents here: then
    nothing but its own guards bounds it.

    Attributes:
        n_isolated: Documents that were given a process of their own.
    """

    def __init__(self, strategy: Strategy, isolated: Isolated) -> None:
        self._strategy = strategy
        self._isolated = isolated
        # An encoder is loaded once and holds gigabytes; a copy of it in another process would cost as much.
        self._is_sendable = not strategy.needs_encoder
        self.n_isolated = 0

    def rows(self, document: Document) -> tuple[list[Row], list[Row]]:
        """A document's rows of ``CHUNKS``, without ``n_tokens``, and of ``SKIPS``.

        Raises:
            UnparsableError: From the strategy.
            OverLimitError: The document takes too much time or memory, or its process broke.
        """
        if self._is_sendable and is_unusual(document):
            self.n_isolated += 1
            try:
                return self._isolated.call(cut_rows, self._strategy, document)
            except NotSendableError as error:
                self._is_sendable = False
                self.n_isolated -= 1
                _logger.warning(
                    "%s cannot be sent to another process (%s): no file's time and memory are bounded",
                    self._strategy.name,
                    error,
                )
        return cut_rows(self._strategy, document)
