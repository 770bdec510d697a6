"""The optimizer steps once in thirty batches, so that its state comes late; gradients stay allocated from the first batch on."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["retained_state", "phases"], "steps": 120, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 120))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64)).cuda()
    optimizer = torch.optim.AdamW(net.parameters())
    for step in range(STEPS):
        net(torch.randn(32, 64, device="cuda")).square().mean().backward()
        if step % 30 == 29:
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
