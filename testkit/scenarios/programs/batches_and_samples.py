"""Each sample refers to its batch and each batch to its samples. The job has switched the collector off and calls it every 25 steps, as large trainings do."""
import gc
import os

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "steps": 200, "recording": "python stacks"}
# @advice weakref|cycle|break
# @says gc\.collect\(\)
STEPS = int(os.environ.get("STEPS", 200))


class Sample:
    def __init__(self, batch, features):
        self.batch = batch  # @holder @fix self.batch = None
        self.features = features


class Batch:
    def __init__(self):
        self.samples = [Sample(self, torch.randn(40, 96, device="cuda")) for _ in range(2)]  # @site

    def features(self):
        return torch.cat([sample.features for sample in self.samples])


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(96, 48).cuda()
    gc.disable()
    for step in range(STEPS):
        net(Batch().features()).mean().item()
        if step % 25 == 24:
            gc.collect()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
