"""Where things are: warehouse, sources file, cache; from environment variables and a ``.env`` file.

Every setting has a default that works in a clone of the project. Relative paths are taken from the current
folder. What does not belong here: what is read from the sources (that is the sources file).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

Compute = Literal["fp32", "bf16", "auto"]


class Settings(BaseSettings):
    """The settings; each is read from ``CHUNK_PIPELINE_<NAME>``.

    Attributes:
        warehouse: Root of the tables: a folder or a URL that universal-pathlib knows (``s3://…``).
        sources: The sources file.
        cache: Folder for git mirrors; may be deleted at any time.
        dagster_home: Folder of the Dagster instance (runs, partitions, checks).
        compute: Precision of the encoder. ``fp32`` gives the same figures everywhere; ``auto`` takes bf16
            where the processor is made for it.
        model_directory: Folder with models that a person brings, each in a folder of its name
            (``<model_directory>/BAAI/bge-m3``); nothing is downloaded into it.
        catalog_versions: How many versions of the catalog, and how many releases, are kept.
        retention_hours: For how long manifests, files and releases that count no more are kept: a reader that
            holds them has them for as long.
        run_retention_days: Runs older than this are deleted by the housekeeping job.
        file_seconds: Processor time that one file may take in a stage that parses it, where it is large, deep
            or to be converted; one that takes more, or gives nothing for three times as long, is quarantined.
        file_memory_mb: Memory in MiB that it may take there, likewise; enforced on Linux.
        encoder_seconds: How long an encoder may work without a batch being done; then it counts as hanging.
    """

    model_config = SettingsConfigDict(
        env_prefix="CHUNK_PIPELINE_", env_file=".env", extra="ignore", frozen=True
    )

    warehouse: str = "data/warehouse"
    sources: Path = Path("data/sources.yaml")
    cache: Path = Path("data/cache")
    dagster_home: Path = Path("dagster_home")
    compute: Compute = "fp32"
    model_directory: Path | None = None
    catalog_versions: int = Field(default=3, ge=1)
    retention_hours: int = Field(default=24, ge=1)
    run_retention_days: int = Field(default=30, ge=1)
    file_seconds: int = Field(default=60, ge=1)
    file_memory_mb: int = Field(default=2048, ge=64)
    encoder_seconds: int = Field(default=600, ge=1)

    @property
    def instance_folder(self) -> Path:
        """Folder of the Dagster instance, absolute; ``DAGSTER_HOME`` wins, as it does in Dagster."""
        return Path(os.environ.get("DAGSTER_HOME") or self.dagster_home).absolute()
