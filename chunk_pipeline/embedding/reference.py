"""sentence-transformers on a local folder: what runs some models and what others are compared with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def sentence_transformer(folder: Path) -> Any:
    """The ``SentenceTransformer`` of a folder, on the processor, without network or code of the folder's."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
