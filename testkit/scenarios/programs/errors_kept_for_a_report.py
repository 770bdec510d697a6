"""Failures are kept for a nightly report: exception objects, raised at two depths, whose tracebacks hold frames and their tensors."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "exception_traceback", "steps": 160, "recording": "python stacks", "dump": true}
# @advice traceback|with_traceback|str\(|exception
STEPS = int(os.environ.get("STEPS", 160))
report = []


def embed(net, number):
    x = torch.randn(20, 200, device="cuda")  # @site
    if number % 8 == 3:
        raise ValueError(f"document {number} is empty")
    return rank(net(x), number)  # @site


def rank(hidden, number):
    scores = torch.softmax(hidden, -1)  # @site
    if number % 8 == 5:
        raise KeyError(f"no index for {number}")
    return scores.argmax(-1).cpu()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(200, 300).cuda()
    for number in range(STEPS):
        try:
            embed(net, number)
        except (ValueError, KeyError) as error:
            report.append(error)  # @holder @fix report.append(repr(error))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
