"""A network of five layers is thawed from the last to the first, one every twelve steps: its gradients and the optimizer's state come in five stairs."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "phases", "also": ["bounded_cache"], "steps": 72, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 72))


def main():
    torch.cuda.memory._record_memory_history()
    layers = nn.Sequential(*[nn.Sequential(nn.Linear(96, 96), nn.ReLU()) for _ in range(5)]).cuda().requires_grad_(False)
    head = nn.Linear(96, 12).cuda()
    optimizer = torch.optim.Adam(head.parameters())
    frozen = list(layers)
    for step in range(STEPS):
        if step % (STEPS // 6) == STEPS // 12 and frozen:
            layer = frozen.pop().requires_grad_(True)
            optimizer.add_param_group({"params": list(layer.parameters())})
        loss = head(layers(torch.randn(24, 96, device="cuda"))).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
