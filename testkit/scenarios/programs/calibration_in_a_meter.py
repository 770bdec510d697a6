"""A calibration error is mixed into the state of an object, one method call away, with the graph of each step behind it."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "autograd_graph_kept", "also": ["kept_in_container"], "shown": "autograd_graph_kept", "patched": true, "steps": 120, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 120))


class Calibration:
    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self.error = 0.0

    def observe(self, confidence, weight):
        gap = (confidence - 0.5).abs() * weight
        self.error = self.error * self.momentum + gap * (1 - self.momentum)


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    calibration = Calibration()
    for _ in range(STEPS):
        x = torch.randn(40, 64, device="cuda")
        loss = net(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        confidence = net(x).softmax(-1).amax(-1).mean()  # @site
        calibration.observe(
            confidence,  # @fix confidence.detach(),
            weight=len(x),
        )
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
