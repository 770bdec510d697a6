"""A network's layers are thawed from the last to the first, each joining the optimizer: memory rises in three stairs."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "phases", "steps": 72, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 72))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    layers = [nn.Linear(128, 128).cuda().requires_grad_(False) for _ in range(3)]
    head = nn.Linear(128, 10).cuda()
    optimizer = torch.optim.Adam(head.parameters())
    for step in range(STEPS):
        if step % (STEPS // 4) == 0 and step and layers:
            thawed = [layer for layer in layers if not layer.weight.requires_grad]
            if thawed:
                thawed[-1].requires_grad_(True)
                optimizer.add_param_group({"params": list(thawed[-1].parameters())})
        x = torch.randn(32, 128, device="cuda")
        for layer in layers:
            x = torch.relu(layer(x))
        loss = head(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
