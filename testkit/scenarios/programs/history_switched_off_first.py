"""Scores are kept, and the recording is switched off before the snapshot is written, which empties it."""
import os

import torch
from torch import nn

# @truth {"verdict": "undetermined", "cause": "no_history", "steps": 60, "recording": "history stopped before the dump"}
# @says dump|before|history|stopp|switched|disabled
STEPS = int(os.environ.get("STEPS", 60))


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(64, 128).cuda()
    scores = []
    for _ in range(STEPS):
        scores.append(net(torch.randn(32, 64, device="cuda")))
    torch.cuda.memory._record_memory_history(enabled=None)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
