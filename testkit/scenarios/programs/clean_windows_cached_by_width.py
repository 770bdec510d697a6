"""A cache is put around a function by a call, with a limit, and keyed by numbers of which there are few."""
import os
from functools import lru_cache

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "also": ["warm_up"], "steps": 200, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 200))


def build(width):
    steps = torch.arange(width, device="cuda")
    return torch.exp(-(steps[None, :] - steps[:, None]).abs() / width)


window = lru_cache(maxsize=16)(build)


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(64, 256).cuda()
    for step in range(STEPS):
        width = 128 + 16 * (step % 5)
        (net(torch.randn(32, 64, device="cuda"))[:, :width] @ window(width)).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
