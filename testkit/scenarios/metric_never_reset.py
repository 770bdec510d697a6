"""A metric of an installed package keeps a copy of every prediction until it is reset, which nobody does after an epoch."""
import gauges
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 220}


def train(model, optimizer):
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.randn(24, 256, device="cuda")).abs().mean().backward()
        optimizer.step()


@torch.no_grad()
def validate(model, metric):
    for _ in range(12):
        scores = model(torch.randn(64, 256, device="cuda"))
        metric.update(scores)  # @site @holder
    return metric.compute()


def main():
    model = Mlp(256, 3, 96).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    ranks = gauges.RankMetric()
    for _ in range(10):
        train(model, optimizer)
        validate(model, ranks)
    main.ranks = ranks
