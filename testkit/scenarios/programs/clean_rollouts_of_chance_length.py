"""Rollouts of random length are collected until there are enough steps, used for two updates, and thrown away."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "phases", "also": ["periodic"], "steps": 8, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 8))


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(40, 80)
        self.policy = nn.Linear(80, 5)
        self.value = nn.Linear(80, 1)

    def forward(self, observation):
        hidden = torch.tanh(self.body(observation))
        return self.policy(hidden), self.value(hidden)


def rollout(agent, length):
    steps = []
    with torch.no_grad():
        for _ in range(length):
            observation = torch.randn(8, 40, device="cuda")
            policy, value = agent(observation)
            steps.append((observation, policy.log_softmax(-1), value))
    return steps


def main():
    random.seed(16)
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    agent = Agent().cuda()
    optimizer = torch.optim.Adam(agent.parameters())
    for _ in range(STEPS):
        rollouts = []
        while sum(map(len, rollouts)) < 20:
            rollouts.append(rollout(agent, random.randint(3, 12)))
        observations = torch.stack([observation for steps in rollouts for observation, _, _ in steps])
        for _ in range(2):
            policy, value = agent(observations)
            loss = policy.square().mean() + value.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        del rollouts, observations, policy, value, loss
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
