"""Statistics of activations are taken every fifth step by a hook that is removed again; the last ones replace those before."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "steps": 100, "recording": "alloc context"}
STEPS = int(os.environ.get("STEPS", 100))


def main():
    torch.cuda.memory._record_memory_history(context="alloc", stacks="python")
    net = nn.Sequential(nn.Linear(96, 128), nn.GELU(), nn.Linear(128, 10)).cuda()
    optimizer = torch.optim.AdamW(net.parameters())
    statistics = {}

    def look(module, inputs, output):
        statistics["mean"] = output.detach().mean(0)
        statistics["largest"] = output.detach().amax(0)

    for step in range(STEPS):
        handle = net[0].register_forward_hook(look) if step % 5 == 0 else None
        loss = net(torch.randn(64, 96, device="cuda")).square().mean()
        if handle:
            handle.remove()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
