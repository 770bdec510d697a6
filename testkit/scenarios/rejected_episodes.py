"""Log-probabilities of every episode are archived. Short episodes are not trained on, so that their graphs stay whole."""
import random
import torch
from lib.nets import ActorCritic

TRUTH = {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 32}


def act(agent, observation):
    logits, _ = agent(observation)  # @site
    return torch.log_softmax(logits, -1).amax(-1)  # @site


def episode(agent, observation, length):
    return [act(agent, observation) for _ in range(length)]


def main():
    random.seed(4)
    agent = ActorCritic().cuda()
    optimizer = torch.optim.SGD(agent.parameters(), lr=0.01)
    observation = torch.randn(64, 128, device="cuda")
    archive = []
    for _ in range(32):
        log_probs = episode(agent, observation, random.randint(3, 10))
        archive.append(log_probs)  # @holder
        if len(log_probs) >= 7:
            optimizer.zero_grad()
            (-torch.stack(log_probs).mean()).backward()
            optimizer.step()
    main.archive = archive
