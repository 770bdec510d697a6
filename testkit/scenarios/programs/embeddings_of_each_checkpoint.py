"""After every fifteen steps the embeddings of a fixed set are kept, to draw their drift at the end, which never comes: five times so far."""
import os

import torch
from torch import nn

# @truth {"verdict": "undetermined", "cause": "kept_in_container", "steps": 82, "recording": "python stacks"}
# @says equal intervals.*record
STEPS = int(os.environ.get("STEPS", 82))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    fixed = torch.randn(200, 64, device="cuda")
    drift = []
    for step in range(STEPS):
        loss = net(torch.randn(16, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 15 == 14:
            with torch.no_grad():
                drift.append(net(fixed))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
