"""Actors run ahead of the learner by up to nine rollouts, one more every seven; only what is live at the end has stacks."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 90, "recording": "python stacks of the final state alone"}
STEPS = int(os.environ.get("STEPS", 90))


def act(policy, length):
    with torch.no_grad():
        states = torch.randn(length, 48, device="cuda")
        return states, policy(states)


def main():
    policy = nn.Sequential(nn.Linear(48, 64), nn.Tanh(), nn.Linear(64, 48)).cuda()
    optimizer = torch.optim.SGD(policy.parameters(), lr=1e-3)
    torch.cuda.memory._record_memory_history(context="state", stacks="python")
    flight = collections.deque()
    for step in range(STEPS):
        while len(flight) < min(9, 1 + step // 7):
            flight.append(act(policy, 200))
        states, aims = flight.popleft()
        loss = (policy(states) - aims).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
