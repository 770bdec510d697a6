"""A probe made for each request hooks its own method to its own layer: probe, layer and hook hold one another."""
import torch
from torch import nn

TRUTH = {"verdict": "cycle", "cause": "reference_cycle", "steps": 500}


class Probe:
    def __init__(self, width, labels):
        self.calls = 0
        self.layer = nn.Linear(width, labels, device="cuda")  # @site
        self.layer.register_forward_hook(self.count)  # @holder

    def count(self, module, inputs, output):
        self.calls += 1


def examine(x, labels):
    return Probe(x.shape[-1], labels).layer(x).argmax(-1).cpu()


def main():
    x = torch.zeros(4, 768, device="cuda")
    with torch.no_grad():
        for request in range(500):
            examine(x, 24 + 8 * (request % 3))
