import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(256, 512)
        self.b = nn.Linear(512, 128)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


def main():
    net = Net().cuda()
    outs = []
    for step in range(160):
        x = torch.randn(64, 256, device="cuda")
        y = net(x)
        outs.append(y)
        tick()
