"""One conversation after another: keys and values are lengthened by every turn and dropped after twenty to thirty of them."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 160, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 160))


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(96, 288)
        self.past = None

    def turn(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        if self.past is not None:
            k, v = torch.cat([self.past[0], k], 1), torch.cat([self.past[1], v], 1)
        self.past = k.contiguous(), v.contiguous()
        return torch.softmax(q @ k.transpose(-1, -2), -1) @ v


@torch.inference_mode()
def main():
    random.seed(2)
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    agent = Agent().cuda()
    left = 0
    for _ in range(STEPS):
        if not left:
            agent.past, left = None, random.randint(20, 30)
        left -= 1
        agent.turn(torch.randn(2, 8, 96, device="cuda")).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
