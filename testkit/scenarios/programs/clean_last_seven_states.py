"""Keeps the states of the last seven rounds, to go back to the best of them when training diverges; a round is eleven batches."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 143, "recording": "python stacks, all contexts"}
STEPS = int(os.environ.get("STEPS", 143))


def copied(net):
    return {name: value.detach().clone() for name, value in net.state_dict().items()}


def main():
    torch.cuda.memory._record_memory_history(stacks="python", context="all")
    net = nn.Sequential(nn.Linear(80, 160), nn.LayerNorm(160), nn.Linear(160, 20)).cuda()
    optimizer = torch.optim.RMSprop(net.parameters())
    states = []
    for batch in range(STEPS):
        loss = net(torch.randn(24, 80, device="cuda")).logsumexp(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if batch % 11 == 10:
            states.append(copied(net))
            if len(states) > 7:
                states.pop(0)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
