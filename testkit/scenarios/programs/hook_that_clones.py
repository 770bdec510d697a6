"""Every step hooks the encoder again to look at its output. Each hook replaces its own last clone: one clone more with every step."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "hook", "steps": 40, "bytes_per_step": 32768, "recording": "python stacks"}
# @advice handle\.remove|remove the hook|\.remove\(\)|register.*once
STEPS = int(os.environ.get("STEPS", 40))


class Looker:
    def __call__(self, module, inputs, output):
        self.last = output.detach().clone()  # @site


def step(net, optimizer):
    handle = net[0].register_forward_hook(Looker())  # @holder
    loss = net(torch.randn(64, 96, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # @fix optimizer.step()\nhandle.remove()


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(96, 128), nn.GELU(), nn.Linear(128, 10)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(STEPS):
        step(net, optimizer)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
