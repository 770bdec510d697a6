"""The batch grows while steps are fast and shrinks when they are slow; gradients of the last step stay until the next."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "input_size", "steps": 110, "recording": "small ring, python stacks"}
STEPS = int(os.environ.get("STEPS", 110))


def main():
    random.seed(38)
    torch.cuda.memory._record_memory_history(stacks="python", max_entries=2500)
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    rows = 16
    for _ in range(STEPS):
        rows = max(8, rows + random.choice((-24, -8, 8, 16, 16)))
        out = net(torch.randn(rows, 64, device="cuda"))
        optimizer.zero_grad(set_to_none=True)
        out.square().mean().backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
