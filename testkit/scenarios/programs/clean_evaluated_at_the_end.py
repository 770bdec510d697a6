"""Training, and at the end of it one evaluation that collects all outputs, joins them and drops them."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "phases", "also": ["periodic", "warm_up"], "steps": 60, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 60))


@torch.no_grad()
def evaluate(net):
    outs = [net(torch.randn(64, 64, device="cuda")) for _ in range(24)]
    return torch.cat(outs).argmax(-1).cpu()


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 160)).cuda()
    optimizer = torch.optim.Adam(net.parameters(), foreach=True)
    for _ in range(STEPS):
        loss = net(torch.randn(32, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    evaluate(net)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
