"""Each request makes a plan whose steps are closures over the plan itself; a plan holds its input and its result."""
import os

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "steps": 400, "recording": "python stacks"}
# @advice weakref|cycle|break
STEPS = int(os.environ.get("STEPS", 400))


class Plan:
    def __init__(self, net):
        self.input = torch.randn(24, 80, device="cuda")  # @site
        self.result = None
        self.steps = [lambda: self.scale(), lambda: self.compute(net)]  # @holder @fix self.steps = []; self.scale(); self.compute(net)

    def scale(self):
        self.input.mul_(0.5)

    def compute(self, net):
        self.result = net(self.input)  # @site

    def run(self):
        for step in self.steps:
            step()
        return self.result.mean().item()


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(80, 160), nn.GELU(), nn.Linear(160, 40)).cuda()
    for _ in range(STEPS):
        Plan(net).run()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
