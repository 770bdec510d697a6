import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.i = nn.Linear(256, 256)
        self.h = nn.Linear(256, 256)

    def forward(self, x, h):
        return torch.tanh(self.i(x) + self.h(h))


def main():
    cell = Cell().cuda()
    head = nn.Linear(256, 8).cuda()
    h = torch.zeros(128, 256, device="cuda")
    opt = torch.optim.SGD(head.parameters(), lr=0.1)
    for step in range(160):
        x = torch.randn(128, 256, device="cuda")
        h = cell(x, h)
        loss = head(h.detach()).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        tick()
