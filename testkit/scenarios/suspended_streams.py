"""Answers are generators. Clients that hang up leave theirs suspended in the list of open streams, and its state with it."""
import random
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "generator", "steps": 150}


def stream(cell, length):
    state = torch.zeros(40, 256, device="cuda")
    for _ in range(length):
        state = torch.tanh(cell(state))  # @site
        yield state.sum().item()


class Gateway:
    def __init__(self):
        self.cell = mlp(256, 1, 256).cuda()
        self.open = []

    def request(self, length, patience):
        answer = stream(self.cell, length)
        self.open.append(answer)  # @holder
        for said, _ in enumerate(answer):
            if said == patience:
                return
        self.open.remove(answer)


def main():
    random.seed(71)
    gateway = Gateway()
    with torch.no_grad():
        for _ in range(150):
            gateway.request(random.randint(3, 9), random.choice((2, 50)))
    main.gateway = gateway
