"""Answers of random length: keys and values grow with every token, and are dropped with the answer."""
import random
import torch
from torch import nn

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 24}


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.kv = nn.Linear(width, 2 * width)

    def forward(self, x, past):
        new = self.kv(x)
        past = new if past is None else torch.cat((past, new), 1)
        keys, values = past.chunk(2, -1)
        return x + torch.softmax(x @ keys.mT, -1) @ values, past


def answer(layers, prompt, length):
    caches = [None] * len(layers)
    x = torch.randn(1, prompt, 192, device="cuda")
    produced = 0
    while produced < length:
        for i, layer in enumerate(layers):
            x, caches[i] = layer(x, caches[i])
        x = x[:, -1:]
        produced += 1
    return x.sum().item()


def main():
    random.seed(23)
    layers = nn.ModuleList(Layer(192) for _ in range(2)).cuda()
    with torch.no_grad():
        for _ in range(24):
            answer(layers, random.randint(8, 64), random.randint(2, 26))
