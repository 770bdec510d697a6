"""Activations are dropped and made again during backward(), each block's at its time."""
import torch
from torch.utils.checkpoint import checkpoint
from lib.nets import LanguageModel

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 30}


def forward(model, tokens):
    x = model.embed(tokens)
    for block in model.blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return model.head(x)


def main():
    model = LanguageModel(500, 96, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(30):
        loss = forward(model, torch.zeros(4, 64, dtype=torch.long, device="cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
