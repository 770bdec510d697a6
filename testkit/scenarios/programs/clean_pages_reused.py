"""Answers take pages from a pool and give them back; the pool makes a new page only when none is free, so that it grows to the busiest moment."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "also": ["retained_state"], "steps": 300, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 300))


class Pages:
    def __init__(self):
        self.free = []

    def take(self):
        return self.free.pop() if self.free else torch.zeros(16, 2, 128, device="cuda")


class Engine:
    def __init__(self):
        self.net = nn.Linear(128, 256).cuda()
        self.pages = Pages()
        self.answers = []

    def step(self):
        if len(self.answers) < 10 and random.random() < 0.4:
            self.answers.append([random.randint(8, 90), 0, []])
        for answer in self.answers:
            if answer[1] % 16 == 0:
                answer[2].append(self.pages.take())
            answer[2][-1][answer[1] % 16] = self.net(torch.ones(1, 128, device="cuda")).view(2, 128)
            answer[1] += 4
        for answer in [answer for answer in self.answers if answer[1] >= answer[0]]:
            self.pages.free += answer[2]
            self.answers.remove(answer)


@torch.inference_mode()
def main():
    random.seed(33)
    torch.cuda.memory._record_memory_history(stacks="python")
    engine = Engine()
    for _ in range(STEPS):
        engine.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
