"""A replay buffer of 90 transitions fills during the first third of the run and then overwrites the oldest."""
import random
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "bounded_cache", "steps": 270}


class Replay:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []
        self.next = 0

    def add(self, item):
        if len(self.items) < self.capacity:
            self.items.append(item)
        else:
            self.items[self.next] = item
        self.next = (self.next + 1) % self.capacity

    def sample(self, count):
        return torch.stack([observation for observation, _ in random.sample(self.items, count)])


def main():
    random.seed(5)
    net = Mlp(512, 2, 8).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    replay = Replay(90)
    observation = torch.randn(24, 512, device="cuda")
    for step in range(270):
        with torch.no_grad():
            action = net(observation)
        following = observation * 0.5
        replay.add((following, action))
        observation = following
        if step % 3 == 0 and step > 10:
            optimizer.zero_grad()
            net(replay.sample(4)).mean().backward()
            optimizer.step()
