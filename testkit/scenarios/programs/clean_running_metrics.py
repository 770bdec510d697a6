"""A mean over the last twelve losses and an accuracy, asked for after every batch and reset after each epoch."""
import os

import torch
import torchmetrics
import torchmetrics.classification
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["bounded_cache", "periodic"], "steps": 18, "library": "torchmetrics", "recording": "all stacks, alloc context"}
STEPS = int(os.environ.get("STEPS", 18))


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000, context="alloc")
    net = nn.Linear(48, 5).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    recent = torchmetrics.RunningMean(window=12, nan_strategy="disable").cuda()
    accuracy = torchmetrics.classification.MulticlassAccuracy(5, validate_args=False).cuda()
    for step in range(STEPS):
        scores = net(torch.randn(64, 48, device="cuda"))
        target = torch.zeros(64, dtype=torch.long, device="cuda")
        loss = nn.functional.cross_entropy(scores, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent(loss.detach())
        accuracy(scores.detach(), target)
        if step % 9 == 8:
            accuracy.reset()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
