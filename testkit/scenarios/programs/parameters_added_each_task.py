"""Continual learning: each task adds a head and its parameters to the one optimizer; old heads are never used again."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 70, "every": 10, "recording": "all stacks"}
# @advice cpu|drop|delete|optimizer|bound|clear|state_dict|save
STEPS = int(os.environ.get("STEPS", 70))


class Learner:
    def __init__(self):
        self.body = nn.Linear(64, 256).cuda()
        self.heads = []
        self.optimizer = torch.optim.Adam(self.body.parameters())

    def begin_task(self):
        head = nn.Linear(256, 40).cuda()  # @site
        self.heads.append(head)  # @holder @fix self.heads = [head]
        self.optimizer.add_param_group({"params": list(head.parameters())})  # @holder @fix self.optimizer = torch.optim.Adam([*self.body.parameters(), *head.parameters()])

    def learn(self):
        loss = self.heads[-1](torch.relu(self.body(torch.randn(32, 64, device="cuda")))).square().mean()
        self.optimizer.zero_grad()
        loss.backward()  # @site
        self.optimizer.step()  # @site


def main():
    torch.cuda.memory._record_memory_history(max_entries=200_000)
    learner = Learner()
    for step in range(STEPS):
        if step % 10 == 0:
            learner.begin_task()
        learner.learn()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
