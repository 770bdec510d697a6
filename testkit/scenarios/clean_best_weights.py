"""Whenever the score is better than before, a copy of the weights replaces the last copy: often at first, seldom later."""
import random
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "retained_state", "steps": 180}


def train_epoch(model, optimizer):
    for _ in range(5):
        optimizer.zero_grad()
        model(torch.randn(40, 336, device="cuda")).mean().backward()
        optimizer.step()


def main():
    random.seed(97)
    model = Mlp(336, 3, 16).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    best, best_score = None, 0.0
    for epoch in range(36):
        train_epoch(model, optimizer)
        score = random.random() * (1 - 0.8 ** epoch)
        if score > best_score:
            best, best_score = {name: value.clone() for name, value in model.state_dict().items()}, score
    main.best = best
