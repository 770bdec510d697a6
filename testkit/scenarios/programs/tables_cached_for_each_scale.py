"""Tables are cached by a cache that an instance puts around its method; scales are numbers that never come again."""
import os
import random
from functools import cache

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "shown": "unbounded_cache", "steps": 400, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 400))


class Resampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(128, 128)
        self.table = cache(self._table)  # @holder @fix import functools; self.table = functools.lru_cache(maxsize=64)(self._table)

    def _table(self, scale):
        grid = torch.linspace(0, scale, 128, device="cuda")
        return torch.cos(grid[:, None] * grid[None, :])  # @site

    def forward(self, x, scale):
        return self.mix(x) @ self.table(scale)


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    net, source = Resampler().cuda(), random.Random(3)
    for _ in range(STEPS):
        net(torch.randn(20, 128, device="cuda"), source.uniform(0.5, 2)).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
