"""Every twenty steps the schedule asks for a table that was not there, six in all; then eighty steps pass without one."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["bounded_cache"], "steps": 200, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 200))


class Schedule:
    def __init__(self):
        self.tables = {}

    def at(self, step):
        part = min(step // 20, 5)
        if part not in self.tables:
            self.tables[part] = torch.linspace(0, 1, 64 * 128, device="cuda").reshape(64, 128)
        return self.tables[part]


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(128, 16).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    schedule = Schedule()
    for step in range(STEPS):
        loss = net(torch.randn(64, 128, device="cuda") * schedule.at(step)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
