"""Scores of a validation set: the batch is copied and the network called on one line, and each result stays on the GPU."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 80, "bytes_per_step": 65536, "recording": "all stacks", "dump": true}
# @advice cpu|host|item|bound|reduce
STEPS = int(os.environ.get("STEPS", 80))


def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Sequential(nn.Linear(64, 192), nn.ReLU(), nn.Linear(192, 256)).cuda().eval()
    loader = DataLoader(TensorDataset(torch.randn(64 * STEPS, 64)), batch_size=64)
    outs = []
    with torch.no_grad():
        for (b,) in loader:
            outs.append(net(b.cuda()))  # @site @holder @fix outs.append(net(b.cuda()).cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
