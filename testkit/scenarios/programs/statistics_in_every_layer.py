"""Three normalising layers each file the mean and the spread of what they see, for a calibration that is made later."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 80, "bytes_per_step": 24576, "recording": "python stacks", "dump": true}
# @advice bound|running|cpu|clear
STEPS = int(os.environ.get("STEPS", 80))


class Calibrated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Linear(width, width)
        self.seen = []

    def forward(self, x):
        y = self.scale(x)
        self.seen.append(torch.stack([y.mean(0), y.std(0)]))  # @site @holder @fix self.seen = [torch.stack([y.mean(0), y.std(0)])]
        return torch.relu(y)


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(*(Calibrated(1024) for _ in range(3))).cuda()
    for _ in range(STEPS):
        net(torch.randn(16, 1024, device="cuda")).argmax(-1).cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
