"""The three best weights so far are kept on the device; a better one takes the place of the worst."""
import copy
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "also": ["bounded_cache"], "steps": 100, "recording": "state context"}
STEPS = int(os.environ.get("STEPS", 100))


def main():
    random.seed(44)
    torch.cuda.memory._record_memory_history(context="state", stacks="python")
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    best = []
    for step in range(STEPS):
        loss = net(torch.randn(32, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        score = random.random() + step / STEPS
        if len(best) < 3 or score > best[0][0]:
            best.append((score, step, copy.deepcopy(net.state_dict())))
            best.sort(key=lambda entry: entry[:2])
            del best[:-3]
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
