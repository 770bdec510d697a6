"""Sparse embeddings without zero_grad(): every backward pass appends its rows to the gradient of the one before."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "gradients_accumulate", "also": ["backward_results_kept"], "steps": 100, "recording": "all stacks"}
# @advice zero_grad|gradients to None
STEPS = int(os.environ.get("STEPS", 100))


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    table = nn.Embedding(2000, 128, sparse=True).cuda()
    head = nn.Linear(128, 50).cuda()
    optimizer = torch.optim.SGD([*table.parameters(), *head.parameters()], lr=0.1)
    for _ in range(STEPS):
        words = torch.zeros(96, dtype=torch.long, device="cuda")
        loss = head(table(words)).square().mean()
        loss.backward()  # @site
        optimizer.step()  # @fix optimizer.step()\noptimizer.zero_grad()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
