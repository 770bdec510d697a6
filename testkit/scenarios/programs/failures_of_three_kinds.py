"""A pipeline may fail while it reads, while it encodes or while it ranks; whoever calls it keeps the last word of each failure: the exception."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "exception_traceback", "steps": 210, "recording": "all stacks"}
# @advice traceback|with_traceback|str\(|exception
STEPS = int(os.environ.get("STEPS", 210))
failures = {}


class Pipeline:
    def __init__(self):
        self.net = nn.Linear(120, 240).cuda()

    def run(self, number):
        text = torch.randn(24, 120, device="cuda")  # @site
        if number % 10 == 2:
            raise OSError(f"cannot read {number}")
        return self.rank(self.encode(text, number), number)  # @site

    def encode(self, text, number):
        states = self.net(text)  # @site
        if number % 10 == 5:
            raise ValueError(f"cannot encode {number}")
        return torch.tanh(states)  # @site

    def rank(self, states, number):
        order = states.sum(-1).argsort()  # @site
        if number % 10 == 8:
            raise LookupError(f"cannot rank {number}")
        return order.float().mean().item()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history()
    pipeline = Pipeline()
    for number in range(STEPS):
        try:
            pipeline.run(number)
        except (OSError, ValueError, LookupError) as failure:
            failures[number] = failure  # @holder @fix failures[number] = repr(failure)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
