"""The error of each step is mixed into the state of an object as a number, so that no graph stays."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 120, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 120))


class Calibration:
    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self.error = 0.0

    def observe(self, confidence):
        confidence = confidence.item()
        self.error = self.error * self.momentum + confidence * (1 - self.momentum)


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    calibration = Calibration()
    for _ in range(STEPS):
        loss = net(torch.randn(40, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        calibration.observe(net(torch.randn(40, 64, device="cuda")).amax(-1).mean())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
