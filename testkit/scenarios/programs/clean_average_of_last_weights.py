"""Stochastic weight averaging over the last five snapshots of the weights, one every eight steps."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 120, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 120))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    last = collections.deque(maxlen=5)
    for step in range(STEPS):
        loss = net(torch.randn(32, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 8 == 7:
            last.append([weight.detach().clone() for weight in net.parameters()])
            average = [torch.stack(weights).mean(0) for weights in zip(*last)]
            del average
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
