import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

class Fold:
    def __init__(self, number):
        self.model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 8)).cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.score = 0.0

    def train(self):
        for _ in range(6):
            loss = self.model(torch.randn(32, 256, device="cuda")).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            tick()
        self.score = 0.5


def main():
    results = []
    for number in range(20):
        fold = Fold(number)
        fold.train()
        results.append(fold)
