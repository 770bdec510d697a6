"""The gradients of every step are copied for a histogram that nobody has drawn yet."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 90, "bytes_per_step": 148992}
histogram = []


def train_one(model, optimizer, x):
    model(x).square().mean().backward()
    histogram.append([parameter.grad.clone() for parameter in model.parameters()])  # @site @holder
    optimizer.step()
    optimizer.zero_grad()


def main():
    model = Mlp(128, 3, 32).cuda()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    [train_one(model, optimizer, torch.randn(16, 128, device="cuda")) for _ in range(90)]
