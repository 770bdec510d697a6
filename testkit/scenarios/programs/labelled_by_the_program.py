"""The program labels its memory itself, by phase; what it labels as 'debug' is kept."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 80, "bytes_per_step": 8192, "recording": "all stacks, user metadata"}
# @advice cpu|bound|clear|limit
STEPS = int(os.environ.get("STEPS", 80))


def train(net, optimizer, debug):
    torch.cuda.memory._set_memory_metadata("forward")
    hidden = net[0](torch.randn(32, 48, device="cuda"))
    loss = net[2](net[1](hidden)).square().mean()
    torch.cuda.memory._set_memory_metadata("backward")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.cuda.memory._set_memory_metadata("debug")
    debug.append(hidden.detach().abs())  # @site @holder @fix debug.append(hidden.detach().abs().cpu())
    torch.cuda.memory._set_memory_metadata("")


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    net = nn.Sequential(nn.Linear(48, 64), nn.ReLU(), nn.Linear(64, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    debug = []
    for _ in range(STEPS):
        train(net, optimizer, debug)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
