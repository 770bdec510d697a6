import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

import weakref


class Request:
    def __init__(self, number):
        self.number = number


class Features:
    def __init__(self, request, values):
        self.request = request
        self.values = values


CACHE = weakref.WeakKeyDictionary()


def features(request, net):
    if request not in CACHE:
        x = torch.randn(64, 256, device="cuda")
        with torch.no_grad():
            CACHE[request] = Features(request, net(x))
    return CACHE[request]


def main():
    net = nn.Linear(256, 256).cuda()
    for step in range(120):
        request = Request(step)
        score = features(request, net).values.sum()
        tick()
