"""Sessions hold their state on the GPU while they last. As many end as begin, after a rush hour at the start."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "steps": 300, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 300))


class Service:
    def __init__(self):
        self.cell = nn.GRUCell(64, 128).cuda()
        self.sessions = {}

    @torch.inference_mode()
    def say(self, user):
        state = self.sessions.get(user)
        if state is None:
            state = torch.zeros(4, 128, device="cuda")
        self.sessions[user] = self.cell(torch.randn(4, 64, device="cuda"), state)

    def leave(self, user):
        self.sessions.pop(user, None)


def main():
    random.seed(12)
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    service = Service()
    users = 0
    online = []
    for turn in range(STEPS):
        if len(online) < 25 and random.random() < (0.8 if turn < 40 else 0.3):
            users += 1
            online.append(users)
        service.say(random.choice(online or [0]))
        if len(online) > 12 and random.random() < 0.3:
            service.leave(online.pop(random.randrange(len(online))))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
