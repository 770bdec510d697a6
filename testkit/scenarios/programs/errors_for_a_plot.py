"""A notebook's loop keeps fifty errors of each batch for a plot that is drawn at the end: 512 bytes a batch."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 80, "bytes_per_step": 512, "recording": "python stacks"}
# @advice item|cpu|bound|detach
STEPS = int(os.environ.get("STEPS", 80))


class Notebook:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(300, 200), nn.ReLU(), nn.Linear(200, 50)).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.plot = {"error": []}

    def run(self, rows):
        error = self.net(torch.randn(rows, 300, device="cuda")).square().mean(0)
        self.optimizer.zero_grad()
        error.mean().backward()
        self.optimizer.step()
        self.plot["error"].append(error.detach().sqrt())  # @site @holder @fix self.plot["error"].append(error.detach().sqrt().cpu())


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    notebook = Notebook()
    for step in range(STEPS):
        notebook.run(20 + 37 * (step % 5))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
