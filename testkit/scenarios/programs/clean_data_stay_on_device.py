"""The first epoch brings every batch to the device and keeps it there; four more epochs find them."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 120, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 120))
BATCHES = 30


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    net = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 4)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    resident = {}
    for step in range(STEPS):
        number = step % BATCHES
        if number not in resident:
            resident[number] = torch.randn(64, 128).cuda()
        loss = net(resident[number]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
