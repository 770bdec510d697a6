"""The next batch is made on a second stream while this one is used; two batches are alive at any time."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 150}


class Prefetcher:
    def __init__(self, count):
        self.left = count
        self.stream = torch.cuda.Stream()
        self.load()

    def load(self):
        self.batch = None
        if self.left:
            self.left -= 1
            with torch.cuda.stream(self.stream):
                self.batch = torch.zeros(72, 240).to("cuda", non_blocking=True) * 0.5

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        if batch is not None:
            batch.record_stream(torch.cuda.current_stream())
        self.load()
        return batch


def main():
    model = Mlp(240, 2, 60).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    prefetcher = Prefetcher(150)
    while (batch := prefetcher.next()) is not None:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
