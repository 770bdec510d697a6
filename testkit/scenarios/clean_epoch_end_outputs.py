"""Each epoch's validation collects its outputs in a list, joins them at the end of the epoch and drops both."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 270}


def train(model, optimizer):
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.randn(32, 224, device="cuda")).square().mean().backward()
        optimizer.step()


@torch.no_grad()
def validate(model):
    outputs = []
    for _ in range(20):
        outputs.append(model(torch.randn(96, 224, device="cuda")))
    return torch.cat(outputs).std().item()


def main():
    model = Mlp(224, 3, 320).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    scores = []
    for _ in range(9):
        train(model, optimizer)
        scores.append(validate(model))
