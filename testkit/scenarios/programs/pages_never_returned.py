"""Answers take pages from a pool. When one is cancelled, which happens now and then, its pages are not given back."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["unbounded_cache"], "steps": 300, "recording": "python stacks"}
# @advice bound|return|give|clear|free|limit
STEPS = int(os.environ.get("STEPS", 300))


class Pages:
    def __init__(self):
        self.free = []
        self.taken = {}

    def take(self, answer):
        page = self.free.pop() if self.free else torch.zeros(16, 2, 128, device="cuda")  # @site
        self.taken.setdefault(answer, []).append(page)  # @holder
        return page

    def give_back(self, answer):
        self.free += self.taken.pop(answer, [])


class Engine:
    def __init__(self):
        self.net = nn.Linear(128, 256).cuda()
        self.pages = Pages()
        self.answers = {}
        self.number = 0

    def step(self):
        if len(self.answers) < 10 and random.random() < 0.4:
            self.number += 1
            self.answers[self.number] = [random.randint(8, 60), 0, None]
        for number, answer in list(self.answers.items()):
            if answer[1] % 16 == 0:
                answer[2] = self.pages.take(number)
            answer[2][answer[1] % 16] = self.net(torch.ones(1, 128, device="cuda")).view(2, 128)
            answer[1] += 4
            if random.random() < 0.03:
                del self.answers[number]  # @fix del self.answers[number]; self.pages.give_back(number)
            elif answer[1] >= answer[0]:
                self.pages.give_back(number)
                del self.answers[number]


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
