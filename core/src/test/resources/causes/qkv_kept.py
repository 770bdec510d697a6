import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.wq = nn.Linear(d, d)
        self.wk = nn.Linear(d, d)
        self.wv = nn.Linear(d, d)
        self.up = nn.Linear(d, 4 * d)
        self.down = nn.Linear(4 * d, d)
        self.trace = []

    def forward(self, x):
        q = self.wq(x)
        k = self.wk(x)
        v = self.wv(x)
        self.trace.append((q, k, v))
        a = torch.softmax(q @ k.transpose(1, 2), -1) @ v
        return self.down(F.gelu(self.up(a)))


def main():
    model = nn.Sequential(Block(128), Block(128)).cuda()
    with torch.no_grad():
        for step in range(120):
            x = torch.randn(8, 64, 128, device="cuda")
            scores = model(x).mean((1, 2))
            tick()
