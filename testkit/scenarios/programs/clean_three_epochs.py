"""Scores are collected over an epoch of fifty batches and dropped at its end; no more than three epochs are recorded."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 150, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 150))
PER_EPOCH = 50


def epoch(net, optimizer):
    scores = []
    for _ in range(PER_EPOCH):
        out = net(torch.randn(64, 96, device="cuda"))
        optimizer.zero_grad()
        out.square().mean().backward()
        optimizer.step()
        scores.append(out.detach())
    return torch.cat(scores).mean().item()


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(96, 128).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(STEPS // PER_EPOCH):
        epoch(net, optimizer)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
