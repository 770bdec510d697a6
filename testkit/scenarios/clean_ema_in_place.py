"""A shadow copy of the weights is made once and follows them in place."""
import copy
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "retained_state", "steps": 130}


class Shadow:
    def __init__(self, model, decay=0.99):
        self.model = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, model):
        for mine, theirs in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(theirs, 1 - self.decay)


def main():
    model = Mlp(384, 3, 20).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    shadow = None
    for step in range(130):
        loss = model(torch.randn(64, 384, device="cuda")).abs().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step == 20:
            shadow = Shadow(model)
        if shadow:
            shadow.follow(model)
