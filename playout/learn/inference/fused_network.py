"""The policy network as a GPU likes it: bias and ELU in one pass, planes in eights.

PyTorch adds the bias of a convolution and applies ELU in two passes over memory, which take longer
than the convolution of 64 filters itself. Here both are one kernel of Triton, in index. The first
convolution gets planes of zeros up to a multiple of eight, which tensor cores want.

Imported only where there is a GPU: Triton comes with PyTorch there.
"""

from __future__ import annotations

import copy
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, nn
from torch.nn import functional

BLOCK = 1024
EIGHT = 8


@triton.jit
def _bias_elu(x, bias, count, channels: tl.constexpr, block: tl.constexpr):
    """x = ELU(x + bias) over `count` numbers, the channels being next to each other."""
    index = tl.program_id(0) * block + tl.arange(0, block)
    inside = index < count
    value = tl.load(x + index, mask=inside).to(tl.float32)
    value += tl.load(bias + index % channels, mask=inside).to(tl.float32)
    value = tl.where(value > 0, value, tl.exp(value) - 1)
    tl.store(x + index, value.to(x.dtype.element_ty), mask=inside)


class BiasELU(nn.Module):
    """What comes after a convolution without bias."""

    def __init__(self, bias: Tensor) -> None:
        super().__init__()
        self.register_buffer("bias", bias.detach().clone())

    def forward(self, x: Tensor) -> Tensor:
        x = x.contiguous(memory_format=torch.channels_last)
        count = x.numel()
        _bias_elu[(triton.cdiv(count, BLOCK),)](
            x, self.bias, count, channels=x.shape[1], block=BLOCK
        )
        return x


class Margin(nn.Module):
    """One cell of zeros on all four sides, and planes of zeros."""

    def __init__(self, planes: int) -> None:
        super().__init__()
        self.planes = planes

    def forward(self, x: Tensor) -> Tensor:
        return functional.pad(x, (1, 1, 1, 1, 0, self.planes))


def fused(network: Any) -> Any:
    """A copy of a `PolicyNetwork`, for evaluation only, whose convolutions end in `BiasELU`."""
    network = copy.deepcopy(network)
    more = -network.shape.planes % EIGHT
    body: list[nn.Module] = []
    for module in network.body:
        if isinstance(module, nn.ZeroPad2d):
            body.append(Margin(more))
        elif isinstance(module, nn.Conv2d):
            if len(body) == 1:
                module.weight = nn.Parameter(functional.pad(module.weight, (0, 0, 0, 0, 0, more)))
                module.in_channels += more
            bias, module.bias = module.bias, None
            body += [module, BiasELU(bias)]
    network.body = nn.Sequential(*body)
    return network
