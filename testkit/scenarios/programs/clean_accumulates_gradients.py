"""Gradients are added up over sixteen batches and the losses of those kept for one printed mean; then both are reset."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 96, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 96))


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).cuda()
    optimizer = torch.optim.AdamW(net.parameters())
    losses = []
    for step in range(STEPS):
        loss = net(torch.randn(32, 64, device="cuda")).square().mean()
        (loss / 16).backward()
        losses.append(loss.detach())
        if step % 16 == 15:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            torch.stack(losses).mean().item()
            losses = []
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
