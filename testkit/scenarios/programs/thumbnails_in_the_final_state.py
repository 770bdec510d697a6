"""Thumbnails are filed by number and never fetched; recording was told to keep stacks of the final state only."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 120, "recording": "final state only"}
# @advice cpu|bound|clear|limit
STEPS = int(os.environ.get("STEPS", 120))


class Shelf:
    def __init__(self):
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 3, 3, 1, 1)).cuda().eval()
        self.filed = {}

    @torch.no_grad()
    def file(self, number):
        picture = torch.randn(1, 3, 64, 64, device="cuda")
        thumbnail = self.net(picture).sigmoid() * 255  # @site
        self.filed[number] = thumbnail  # @holder @fix self.filed[number] = thumbnail.cpu()


def main():
    torch.backends.cudnn.enabled = False
    torch.cuda.memory._record_memory_history(context="state", stacks="python")
    shelf = Shelf()
    for number in range(STEPS):
        shelf.file(number)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
