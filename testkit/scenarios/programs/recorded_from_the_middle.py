"""A reinforcement learner keeps the trajectory of every episode. Recording begins when the run has long been going."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 40, "recording": "late"}
# @advice bound|limit|deque|clear|cpu
STEPS = int(os.environ.get("STEPS", 40))


class Learner:
    def __init__(self):
        self.policy = nn.Sequential(nn.Linear(24, 64), nn.Tanh(), nn.Linear(64, 4)).cuda()
        self.optimizer = torch.optim.Adam(self.policy.parameters())
        self.trajectories = []

    def play(self, length):
        seen = []
        with torch.no_grad():
            for _ in range(length):
                observation = torch.randn(8, 24, device="cuda")
                self.policy(observation).argmax(-1).cpu()
                seen.append(observation)
        return torch.stack(seen)  # @site

    def learn(self, trajectory):
        self.trajectories.append(trajectory)  # @holder @fix self.trajectories = [*self.trajectories[-5:], trajectory]
        loss = self.policy(trajectory).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main():
    random.seed(4)
    learner = Learner()
    for episode in range(STEPS + 30):
        if episode == 30:
            torch.cuda.memory._record_memory_history(stacks="python")
        learner.learn(learner.play(random.randint(3, 8)))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
