"""Summaries are kept for each batch; recording was told to keep no stacks, so that no line can be named."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 90, "recording": "no stacks"}
STEPS = int(os.environ.get("STEPS", 90))


def main():
    torch.cuda.memory._record_memory_history(context=None)
    net = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    summaries = []
    for _ in range(STEPS):
        x = torch.randn(32, 48, device="cuda")
        loss = net(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        summaries.append(x.cov())  # @fix summaries.append(x.cov().cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
