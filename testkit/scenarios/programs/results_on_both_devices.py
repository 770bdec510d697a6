"""Requests are served by two devices in turn; both keep every result for a comparison of the two."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 120, "recording": "all stacks, two devices", "gpus": 2}
# @advice cpu|bound|limit|clear
STEPS = int(os.environ.get("STEPS", 120))


class Replica:
    def __init__(self, device):
        self.device = device
        self.net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64)).to(device)
        self.results = []

    def serve(self, rows):
        x = torch.randn(rows, 64, device=self.device)
        result = torch.softmax(self.net(x), -1)  # @site
        self.results.append(result)  # @holder @fix self.results.append(result.cpu())
        return result.argmax(-1).cpu()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    replicas = [Replica("cuda:0"), Replica("cuda:1")]
    for number in range(STEPS):
        replicas[number % 2].serve(32 + 8 * (number % 3))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
