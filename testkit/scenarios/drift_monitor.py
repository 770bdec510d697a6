"""A service without no_grad() follows the mean of its features; the mean carries the graph of every request since the start."""
import torch
from torch import nn
from lib.nets import Convs

TRUTH = {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 140, "bytes_per_step": 541184}


class Drift:
    def __init__(self):
        self.mean = None

    def see(self, features):
        now = features.mean(0)
        self.mean = now if self.mean is None else self.mean * 0.95 + now * 0.05  # @holder


class Service:
    def __init__(self):
        self.encoder = Convs(24, 128).cuda()
        self.head = nn.Linear(128, 10).cuda()
        self.drift = Drift()

    def handle(self):
        images = torch.randn(4, 3, 32, 32, device="cuda")  # @site
        features = self.encoder(images)  # @site
        self.drift.see(features)
        return self.head(features).argmax(-1).tolist()


def main():
    service = Service()
    left = 140
    while left:
        service.handle()
        left -= 1
    main.service = service
