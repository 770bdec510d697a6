"""Losses of 60 episodes are summed before one backward pass frees all their graphs at once; then it begins again."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "also": ["warm_up"], "steps": 150, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 150))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 8)).cuda()
    losses = []
    for episode in range(STEPS):
        losses.append(net(torch.randn(16, 64, device="cuda")).square().mean())
        if episode % 60 == 59:
            torch.stack(losses).sum().backward()
            losses = []
            net.zero_grad()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
