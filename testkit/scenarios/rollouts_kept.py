"""Rollouts are stored for the next update, which uses the last sixteen; the storage is never cleared."""
import torch
from lib.nets import ActorCritic

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 240}


class Storage:
    def __init__(self):
        self.observations, self.actions, self.values = [], [], []

    def add(self, observation, action, value):
        self.observations.append(observation)  # @holder
        self.actions.append(action)
        self.values.append(value)


@torch.no_grad()
def collect(agent, storage, count):
    for _ in range(count):
        observation = torch.randn(160, 128, device="cuda")  # @site
        logits, value = agent(observation)
        storage.add(observation, logits.argmax(-1), value.squeeze(-1).cpu())


def update(agent, optimizer, storage, count):
    observations = torch.cat(storage.observations[-count:])
    logits, value = agent(observations)
    loss = logits.mean() + value.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main():
    agent = ActorCritic().cuda()
    optimizer = torch.optim.Adam(agent.parameters(), fused=True)
    storage = Storage()
    for _ in range(15):
        collect(agent, storage, 16)
        update(agent, optimizer, storage, 16)
    main.storage = storage
