"""Small networks for the scenarios. What they compute does not matter, what they allocate does."""
import torch
from torch import nn


def mlp(width, depth, out):
    """A plain nn.Sequential: its forward passes leave no frame of the user's below the line that calls it."""
    layers = [layer for _ in range(depth - 1) for layer in (nn.Linear(width, width), nn.GELU())]
    return nn.Sequential(*layers, nn.Linear(width, out))


class Mlp(nn.Module):
    def __init__(self, width=256, depth=3, out=64):
        super().__init__()
        self.body = mlp(width, depth, out)

    def forward(self, x):
        return self.body(x)


class Convs(nn.Module):
    def __init__(self, channels=24, out=10):
        super().__init__()
        self.first = nn.Conv2d(3, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, stride=2, padding=1)
        self.head = nn.Linear(channels, out)

    def forward(self, images):
        x = torch.relu(self.first(images))
        x = torch.relu(self.second(x))
        return self.head(x.mean((2, 3)))


class Block(nn.Module):
    """One attention head and a feed-forward layer, written out."""

    def __init__(self, width=128):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        x = x + torch.softmax(q @ k.transpose(-1, -2), -1) @ v
        return x + self.down(torch.relu(self.up(x)))


class LanguageModel(nn.Module):
    def __init__(self, words=1000, width=128, depth=2):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class ActorCritic(nn.Module):
    def __init__(self, observed=128, actions=16, width=256):
        super().__init__()
        self.first = nn.Linear(observed, width)
        self.second = nn.Linear(width, width)
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)

    def forward(self, observation):
        hidden = torch.tanh(self.first(observation))
        hidden = torch.tanh(self.second(hidden))
        return self.policy(hidden), self.value(hidden)
