"""Whenever a run is good enough, its weights are kept to roll back to, and old ones never go; good runs come every few steps."""
import copy
import os
import random

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "checkpoints_kept", "also": ["kept_in_container"], "steps": 120, "recording": "alloc context, small ring"}
# @advice cpu|state_dict|disk|save|bound|last
STEPS = int(os.environ.get("STEPS", 120))


def main():
    random.seed(27)
    torch.cuda.memory._record_memory_history(context="alloc", stacks="python", max_entries=4000)
    net = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    good = []
    for _ in range(STEPS):
        loss = net(torch.randn(32, 48, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if random.random() < 0.35:
            good.append(copy.deepcopy(net.state_dict()))  # @site @holder @fix good = [copy.deepcopy(net.state_dict())]
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
