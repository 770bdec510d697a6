"""Every request makes an adapter that knows its host, and the host knows its adapters: only the cycle collector frees their weights."""
import torch

TRUTH = {"verdict": "cycle", "cause": "reference_cycle", "steps": 600}


class Host:
    def __init__(self, width):
        self.width = width
        self.adapters = {}

    def attach(self, name, rank):
        self.adapters[name] = Adapter(self, rank)
        return self.adapters[name]


class Adapter:
    def __init__(self, host, rank):
        self.host = host  # @holder
        self.down = torch.zeros(host.width, rank, device="cuda")  # @site
        self.up = torch.zeros(rank, host.width, device="cuda")  # @site

    def apply(self, x):
        return x @ self.down @ self.up


def handle(x):
    host = Host(512)
    for name in ("query", "value"):
        x = host.attach(name, 16).apply(x)
    return x


def main():
    x = torch.zeros(8, 512, device="cuda")
    with torch.no_grad():
        for _ in range(600):
            handle(x)
