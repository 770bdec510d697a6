"""A replay buffer for 110 of the run's 190 transitions: it grows with each step for more than half of the run, then forgets the oldest."""
import collections
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 190, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 190))


def main():
    random.seed(0)
    torch.cuda.memory._record_memory_history(stacks="python")
    values = nn.Linear(64, 6).cuda()
    optimizer = torch.optim.SGD(values.parameters(), lr=0.01)
    replay = collections.deque(maxlen=110)
    for _ in range(STEPS):
        replay.append(torch.randn(16, 64, device="cuda"))
        if len(replay) >= 8:
            loss = values(torch.stack(random.sample(replay, 4))).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
