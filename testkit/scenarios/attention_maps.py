"""A layer keeps its attention weights on itself, for a plot that is drawn once in a while."""
import torch
from torch import nn

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 90, "bytes_per_step": 147456}


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))
        self.maps = []

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-1, -2)
        weights = torch.softmax(scores, dim=-1)  # @site
        self.maps.append(weights)  # @holder
        return weights @ self.v(x)


class Reader(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.attention = Attention(width)
        self.head = nn.Linear(width, 5)

    def forward(self, x):
        return self.head(self.attention(x).mean(1))


def main():
    model = Reader().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(90):
        loss = model(torch.randn(4, 96, 96, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    main.model = model
