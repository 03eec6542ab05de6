"""The forward pass of a BERT-like sentence encoder over sequences laid end to end.

The layers of transformers take a rectangle of padded sequences; this takes the tokens of many sequences in
one row of fixed length (``packing``). Every matrix product then has the same shape for every batch, nothing
is spent on padding, and attention sees each sequence alone at its own length. What does not belong here:
tokenising, batching, and loading files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunk_pipeline.embedding.linear import Linear, linear
from chunk_pipeline.embedding.packing import Group

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Norm:
    """Weight and bias of a layer normalisation."""

    weight: torch.Tensor
    bias: torch.Tensor


@dataclass(frozen=True, slots=True)
class Layer:
    """One transformer block; queries, keys and values are projected by one product."""

    project: Linear
    attended: Linear
    attention_norm: Norm
    widen: Linear
    narrow: Linear
    output_norm: Norm


@dataclass(frozen=True, slots=True)
class Bert:
    """A BERT encoder with mean pooling and unit-length output.

    Devlin et al., NAACL 2019; Reimers and Gurevych, EMNLP 2019.

    Attributes:
        words: Word embeddings, shape (vocabulary, width).
        places: Position embeddings plus the embedding of the first segment, shape (positions, width).
        embedding_norm: Layer normalisation of the embeddings.
        layers: The blocks.
        heads: Attention heads of a block.
        epsilon: Of the layer normalisations.
    """

    words: torch.Tensor
    places: torch.Tensor
    embedding_norm: Norm
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float

    def __call__(self, ids: torch.Tensor, places: torch.Tensor, groups: Sequence[Group]) -> torch.Tensor:
        """Sentence vectors of the sequences in the groups.

        Args:
            ids: Token ids, shape (tokens,). Those outside the groups are filling and change nothing.
            places: Place of each token in its sequence, shape (tokens,).
            groups: Where the sequences lie.

        Returns:
            Float32 vectors of unit length, shape (sequences, width).
        """
        import torch
        from torch.nn import functional as F

        states = self._norm(
            F.embedding(ids, self.words) + F.embedding(places, self.places), self.embedding_norm
        )
        for layer in self.layers:
            mixed = layer.attended(self._attend(layer.project(states), groups))
            states = self._norm(mixed.add_(states), layer.attention_norm)
            changed = layer.narrow(F.gelu(layer.widen(states)))
            states = self._norm(changed.add_(states), layer.output_norm)
        pooled = [
            states[group.start : group.stop].view(group.count, group.length, -1).float().mean(dim=1)
            for group in groups
        ]
        return F.normalize(torch.cat(pooled), dim=1)

    def _attend(self, projected: torch.Tensor, groups: Sequence[Group]) -> torch.Tensor:
        """Self-attention inside each sequence: (tokens, 3 · width) → (tokens, width), 0 in the filling."""
        from torch.nn import functional as F

        tokens, width = len(projected), projected.shape[1] // 3
        mixed = projected.new_zeros((tokens, width))
        for group in groups:
            rows = slice(group.start, group.stop)
            shape = (group.count, group.length, -1, self.heads, width // self.heads)
            query, key, value = projected[rows].view(shape).permute(2, 0, 3, 1, 4)
            attended = F.scaled_dot_product_attention(query, key, value).transpose(1, 2)
            mixed[rows].view(attended.shape).copy_(attended)
        return mixed

    def _norm(self, states: torch.Tensor, norm: Norm) -> torch.Tensor:
        from torch.nn import functional as F

        return F.layer_norm(states, (states.shape[-1],), norm.weight, norm.bias, self.epsilon)


def bert_of(module: Any, dtype: torch.dtype, device: str, tokens: int) -> Bert:
    """Take the weights out of a ``transformers.BertModel``.

    Args:
        module: The model.
        dtype: What the weights are turned into.
        device: Where they are kept.
        tokens: Tokens of every batch.

    Raises:
        ValueError: The model is not a BERT with GELU and absolute positions.
    """
    import torch

    config = module.config
    if config.model_type != "bert" or config.hidden_act != "gelu":
        raise ValueError(
            f"the encoder runs BERT models with GELU, not {config.model_type} with {config.hidden_act}"
        )

    def take(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach().to(device=device, dtype=dtype).contiguous()

    def norm(part: Any) -> Norm:
        return Norm(take(part.weight), take(part.bias))

    def dense(*parts: Any) -> Linear:
        weight, bias = torch.cat([each.weight for each in parts]), torch.cat([each.bias for each in parts])
        return linear(take(weight), take(bias), tokens)

    embeddings = module.embeddings
    return Bert(
        words=take(embeddings.word_embeddings.weight),
        places=take(embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]),
        embedding_norm=norm(embeddings.LayerNorm),
        layers=tuple(
            Layer(
                project=dense(
                    block.attention.self.query, block.attention.self.key, block.attention.self.value
                ),
                attended=dense(block.attention.output.dense),
                attention_norm=norm(block.attention.output.LayerNorm),
                widen=dense(block.intermediate.dense),
                narrow=dense(block.output.dense),
                output_norm=norm(block.output.LayerNorm),
            )
            for block in module.encoder.layer
        ),
        heads=config.num_attention_heads,
        epsilon=config.layer_norm_eps,
    )
