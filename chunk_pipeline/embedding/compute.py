"""Which arithmetic the encoder runs in on this machine.

bf16 is several times as fast where the processor has matrix units for it (AMX) and a hundred times slower
where it lacks them, so it is taken only after the processor says so and a short self-test agrees. The class
that was taken is part of every vector's key. What does not belong here: the encoder itself.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from chunk_pipeline.settings import Compute

if TYPE_CHECKING:
    import torch

ComputeClass = Literal["fp32", "bf16", "fp16"]
"""What vectors are computed in: fp32 and bf16 on the processor, fp16 on a CUDA device."""

_PROCESSOR = Path("/proc/cpuinfo")
_TOLERANCE = 0.05
"""Largest relative error of a bf16 product that the self-test takes."""
_SLOWER = 5.0
"""Times of fp32 that bf16 may take in the self-test. Emulated it takes ten and more; but a busy machine makes
it seem slower than it is, and must not change which vectors are used."""
_SECONDS = 1.0
"""The self-test ends after this long at the latest, at the next product."""
_ROUNDS = 20


class ComputeError(RuntimeError):
    """A compute class that this machine does not have."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A compute class and why it was taken."""

    compute: ComputeClass
    reason: str


def choose_compute(requested: Compute) -> Choice:
    """The compute class that a request means here.

    ``auto`` takes fp16 on a CUDA device, else bf16 where it is fast, else fp32.

    Raises:
        ComputeError: bf16 was asked for and would be slow or wrong here.
    """
    if requested == "fp32":
        return Choice("fp32", "as asked")
    if requested == "auto" and _has_cuda():
        return Choice("fp16", "there is a CUDA device")
    problem = bf16_problem()
    if problem is None:
        return Choice("bf16", "the processor has amx_bf16 and passed the self-test")
    if requested == "bf16":
        raise ComputeError(f"bf16 is not usable here: {problem}; set the compute class to fp32 or auto")
    return Choice("fp32", problem)


def has_amx_bf16(processor: Path = _PROCESSOR) -> bool:
    """Whether the processor says that it multiplies bf16 matrices in hardware."""
    try:
        return "amx_bf16" in processor.read_text(encoding="ascii", errors="replace").split()
    except OSError:
        return False


@cache
def bf16_problem() -> str | None:
    """Why bf16 should not be used here, or ``None``.

    Tried once a process: the self-test takes up to a second.
    """
    if not has_amx_bf16():
        return "the processor has no amx_bf16"
    import torch

    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(512, 384, generator=generator)
    weight = torch.randn(1536, 384, generator=generator)
    exact, plain = _timed(rows, weight)
    rounded, fast = _timed(rows.bfloat16(), weight.bfloat16())
    error = float((rounded.float() - exact).abs().max() / exact.abs().max())
    if error > _TOLERANCE:
        return f"the self-test's bf16 product is off by {error:.1%}"
    if fast > _SLOWER * plain:
        return f"in the self-test bf16 took {fast / plain:.1f} times as long as fp32"
    return None


def _timed(rows: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, float]:
    """The product of a linear layer, and the least time that it took, in seconds."""
    import torch
    from torch.nn import functional as F

    best, ends = float("inf"), time.perf_counter() + _SECONDS / 2
    with torch.inference_mode():
        for _ in range(_ROUNDS):
            before = time.perf_counter()
            product = F.linear(rows, weight)
            after = time.perf_counter()
            best = min(best, after - before)
            if after > ends:
                break
    return product, best


def _has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()
