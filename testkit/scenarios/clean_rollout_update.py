"""A rollout fills a list for twenty steps, an update uses it four times, then the list is cleared."""
import torch
from lib.nets import ActorCritic

TRUTH = {"verdict": "no_leak", "cause": "phases", "steps": 200}


def rollout(agent, steps, memory):
    observation = torch.randn(96, 128, device="cuda")
    for _ in range(steps):
        with torch.no_grad():
            logits, value = agent(observation)
        memory.append((observation, torch.log_softmax(logits, -1), value))
        observation = observation * 0.9 + 0.1


def update(agent, optimizer, memory):
    observations = torch.cat([observation for observation, _, _ in memory])
    before = torch.cat([log_probs for _, log_probs, _ in memory])
    for _ in range(4):
        logits, value = agent(observations)
        loss = (torch.log_softmax(logits, -1) - before).exp().mean() + value.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    agent = ActorCritic().cuda()
    optimizer = torch.optim.Adam(agent.parameters(), fused=True)
    memory = []
    for _ in range(10):
        rollout(agent, 20, memory)
        update(agent, optimizer, memory)
        memory.clear()
