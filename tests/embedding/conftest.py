"""The encoder, loaded once."""

from __future__ import annotations

import pytest

from chunk_pipeline.embedding.encoder import PackedEncoder, load_packed
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model


@pytest.fixture(scope="session")
def encoder() -> PackedEncoder:
    return load_packed(model(DEFAULT_MODEL))
