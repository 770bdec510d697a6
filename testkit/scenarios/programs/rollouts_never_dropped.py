"""As clean_rollouts_in_flight, but the learner keeps the states of each rollout for a replay that nobody runs; only what is live at the end has stacks."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["something_keeps_it"], "bytes_per_step": 38400, "steps": 60,
# @truth  "recording": "python stacks of the final state alone"}
STEPS = int(os.environ.get("STEPS", 60))


def act(policy, length):
    with torch.no_grad():
        states = torch.randn(length, 48, device="cuda")  # @site
        return states, policy(states)


def main():
    policy = nn.Sequential(nn.Linear(48, 64), nn.Tanh(), nn.Linear(64, 48)).cuda()
    optimizer = torch.optim.SGD(policy.parameters(), lr=1e-3)
    torch.cuda.memory._record_memory_history(context="state", stacks="python")
    flight, replay = collections.deque(), []
    for step in range(STEPS):
        while len(flight) < 4:
            flight.append(act(policy, 200))
        states, aims = flight.popleft()
        replay.append(states)  # @fix pass
        loss = (policy(states) - aims).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
