"""Scores are kept, and recorded is only what is alive, with its stacks: nothing of what came and went."""
import os

import torch
from torch import nn

# @truth {"verdict": "undetermined", "cause": "no_history", "steps": 60, "recording": "state only"}
# @says history|enabled|record
STEPS = int(os.environ.get("STEPS", 60))


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(enabled="state")
    net = nn.Linear(64, 128).cuda()
    scores = []
    for _ in range(STEPS):
        scores.append(net(torch.randn(32, 64, device="cuda")))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
