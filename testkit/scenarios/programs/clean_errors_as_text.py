"""A third of the requests fails; each failure is kept as text, with the shape of the input, and nothing else."""
import os
import traceback

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["periodic"], "steps": 200, "recording": "all stacks", "dump": true}
STEPS = int(os.environ.get("STEPS", 200))


def embed(net, number):
    x = torch.randn(20, 200, device="cuda")
    if number % 3 == 1:
        raise ValueError(f"document {number} is empty")
    return net(x).argmax(-1).cpu()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(200, 300).cuda()
    report = []
    for number in range(STEPS):
        try:
            embed(net, number)
        except ValueError:
            report.append(traceback.format_exc())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
