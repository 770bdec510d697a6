"""The last eighty feature maps are kept; recording was told to keep stacks of the final state only."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "undetermined", "steps": 160, "recording": "final state only"}
# @says final state
STEPS = int(os.environ.get("STEPS", 160))


@torch.no_grad()
def main():
    torch.backends.cudnn.enabled = False
    torch.cuda.memory._record_memory_history(context="state", stacks="python")
    net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 3, 3, 1, 1)).cuda().eval()
    window = collections.deque(maxlen=80)
    for _ in range(STEPS):
        maps = net(torch.randn(1, 3, 64, 64, device="cuda")).sigmoid()
        window.append(maps * 255)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
