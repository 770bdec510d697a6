"""Batches are pinned by the loader and copied without blocking; a few are in flight at any time."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["bounded_cache", "periodic"], "steps": 90, "recording": "pinned host memory"}
STEPS = int(os.environ.get("STEPS", 90))


def pinned():
    for _ in range(STEPS):
        yield torch.empty(64, 256, pin_memory=True), torch.empty(64, dtype=torch.long, pin_memory=True)


def main():
    torch.cuda.memory._record_memory_history(stacks="python", record_pinned_host_memory=True)
    net = nn.Sequential(nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 10)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    flying = collections.deque(maxlen=3)
    for x, y in pinned():
        flying.append((x, y))
        loss = nn.functional.cross_entropy(net(x.to("cuda", non_blocking=True)), y.to("cuda", non_blocking=True) * 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
