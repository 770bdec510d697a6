"""Recording begins late in a healthy run and keeps only the last entries."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "truncated_recording", "steps": 150, "recording": "late, small ring"}
STEPS = int(os.environ.get("STEPS", 150))


def main():
    net = nn.Sequential(nn.Linear(100, 200), nn.ReLU(), nn.Linear(200, 20)).cuda()
    optimizer = torch.optim.Adam(net.parameters())
    recent = []
    for step in range(STEPS):
        if step == STEPS // 3:
            torch.cuda.memory._record_memory_history(max_entries=1500)
        loss = net(torch.randn(32 + step % 3, 100, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent = [*recent[-9:], loss.detach()]
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
