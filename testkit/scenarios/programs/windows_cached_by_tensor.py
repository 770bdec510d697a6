"""A small tensor is the key of a large cached window: it is moved anew at each step, so that no key is ever found again."""
import os
from functools import lru_cache

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "shown": "unbounded_cache", "patched": true, "steps": 400, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 400))


def build(starts, width):
    steps = torch.arange(width, device=starts.device)
    return torch.exp(-(steps[None, :] - starts[:, None]).abs())  # @site


window = lru_cache(maxsize=None)(build)  # @holder @fix window = lru_cache(maxsize=64)(build)


class Smoother(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Linear(256, 256)

    def forward(self, x, starts):
        return self.scale(x) * window(starts, 256)


def main():
    torch.cuda.memory._record_memory_history()
    net = Smoother().cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(STEPS):
        starts = torch.randint(0, 256, (64,))
        loss = net(torch.randn(64, 256, device="cuda"), starts.cuda()).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
