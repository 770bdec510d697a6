"""Vectors are given to an index of the program's own, which appends them; the line that computes them shows nothing of it."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "shown": "kept_in_container", "patched": true, "steps": 150, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 150))


class Index:
    def __init__(self):
        self.rows = []
        self.labels = []

    def add(self, vectors, label):
        normed = nn.functional.normalize(vectors, dim=-1)  # @site
        self.rows.append(normed)  # @holder @fix self.rows.append(normed.cpu())
        self.labels.append(label)


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(96, 160).cuda()
    index = Index()
    for step in range(STEPS):
        hidden = net(torch.randn(24, 96, device="cuda"))
        index.add(hidden, step)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
