"""The encoder, loaded once."""

from __future__ import annotations

import pytest

from chunk_pipeline.embedding.encoder import PackedEncoder, load_encoder
from chunk_pipeline.embedding.models import DEFAULT_MODEL


@pytest.fixture(scope="session")
def encoder() -> PackedEncoder:
    return load_encoder(DEFAULT_MODEL)
