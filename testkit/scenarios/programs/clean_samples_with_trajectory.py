"""A sampler refines noise in fifteen steps and keeps all of them for one picture, which goes to the host."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 20, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 20))


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def sample(model, steps=15):
    x = torch.randn(2, 1, 32, 32, device="cuda")
    trajectory = [x]
    for _ in range(steps):
        x = x - 0.1 * model(x)
        trajectory.append(x)
    return torch.stack(trajectory).cpu()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    model = Denoiser().cuda()
    for _ in range(STEPS):
        sample(model)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
