import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

import random


class Sessions:
    def __init__(self):
        self.cache = {}

    def turn(self, key, new):
        old = self.cache.get(key)
        self.cache[key] = new if old is None else torch.cat([old, new], 1)
        return self.cache[key]


def main():
    rng = random.Random(4)
    net = nn.Linear(128, 128).cuda()
    sessions = Sessions()
    with torch.no_grad():
        for step in range(240):
            key = step // 6 + rng.randrange(3)
            states = sessions.turn(key, net(torch.randn(8, 16, 128, device="cuda")))
            answer = states.mean(1).sum()
            tick()
