"""A buffer of logged activations is joined, written out and emptied when it is full, at no regular time: many are freed at once."""
import random
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 600}


class BufferedLog:
    def __init__(self, most):
        self.most = most
        self.rows = []
        self.bytes = 0

    def add(self, row):
        self.rows.append(row)
        self.bytes += row.nbytes
        if self.bytes > self.most:
            torch.cat(self.rows).cpu()
            self.rows.clear()
            self.bytes = 0


@torch.inference_mode()
def main():
    random.seed(101)
    model = Mlp(160, 1, 240).cuda()
    log = BufferedLog(1_800_000)
    for _ in range(600):
        row = model(torch.randn(random.randint(8, 80), 160, device="cuda"))
        if random.random() < 0.6:
            log.add(row)
    main.log = log
