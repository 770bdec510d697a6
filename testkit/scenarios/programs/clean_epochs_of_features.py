"""Features are collected for a whole epoch, one classifier is fitted on them, and both go before the next epoch."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 120, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 120))
PER_EPOCH = 24


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(80, 160), nn.Tanh()).cuda()
    for _ in range(STEPS // PER_EPOCH):
        features = []
        with torch.no_grad():
            for _ in range(PER_EPOCH):
                features.append(net(torch.randn(32, 80, device="cuda")))
        probe = nn.Linear(160, 4).cuda()
        optimizer = torch.optim.Adam(probe.parameters())
        everything = torch.cat(features)
        for _ in range(3):
            optimizer.zero_grad()
            probe(everything).square().mean().backward()
            optimizer.step()
        del features, everything
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
