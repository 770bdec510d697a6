import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.maps = []

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        w = torch.softmax(q @ k.transpose(1, 2), -1)
        self.maps.append(w.detach())
        return self.out(w @ v)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Attention(64) for _ in range(3)])
        self.norms = nn.ModuleList([nn.LayerNorm(64) for _ in range(3)])

    def forward(self, x):
        for layer, norm in zip(self.layers, self.norms):
            x = x + layer(norm(x))
        return x


def main():
    model = Model().cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(40):
        x = torch.randn(8, 96, 64, device="cuda")
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        tick()
