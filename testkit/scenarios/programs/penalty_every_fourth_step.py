"""Gradient norms are computed with their graph in each step and filed for a curve; only every fourth is part of a loss."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 48, "recording": "python stacks"}
# @advice detach|item
STEPS = int(os.environ.get("STEPS", 48))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(48, 96)
        self.second = nn.Linear(96, 1)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def norm_of_gradient(critic, x):
    score = critic(x)  # @site
    gradient, = torch.autograd.grad(score.sum(), x, create_graph=True)  # @site
    return gradient.square().sum(1).mean()


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    critic = Critic().cuda()
    optimizer = torch.optim.Adam(critic.parameters())
    norms = []
    for step in range(STEPS):
        x = torch.randn(64, 48, device="cuda", requires_grad=True)
        norm = norm_of_gradient(critic, x)  # @site
        norms.append(norm)  # @holder @fix norms.append(norm.detach())
        loss = critic(x.detach()).mean() + (norm if step % 4 == 0 else 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
