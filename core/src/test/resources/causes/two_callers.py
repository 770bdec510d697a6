import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def embed(net, text):
    ids = torch.randn(64, 256, device="cuda")
    return net(ids)


def search(net, index, step):
    index.append(embed(net, step))


def suggest(net, recent, step):
    vector = embed(net, step)
    if step % 40 == 5:
        recent.append(vector)
    return vector.sum()


def main():
    net = nn.Linear(256, 128).cuda()
    index, recent = [], []
    with torch.no_grad():
        for step in range(200):
            search(net, index, step)
            suggest(net, recent, step)
            tick()
