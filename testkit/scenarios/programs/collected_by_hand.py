"""Each job's steps hold their job by bound methods, and the job its steps. Somebody saw memory rise and added gc.collect() every forty jobs."""
import gc
import os

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "steps": 240, "recording": "all stacks", "dump": true}
# @advice weakref|cycle|break
STEPS = int(os.environ.get("STEPS", 240))


class Job:
    def __init__(self, net):
        self.input = torch.randn(32, 128, device="cuda")  # @site
        self.net = net
        self.steps = [self.prepare, self.compute]  # @holder @fix self.steps = ["prepare", "compute"]

    def prepare(self):
        self.input.mul_(2)

    def compute(self):
        return self.net(self.input).mean().item()

    def run(self):
        for step in self.steps:
            step() if callable(step) else getattr(self, step)()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(128, 64).cuda()
    for number in range(STEPS):
        Job(net).run()
        if number % 40 == 19:
            gc.collect()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
