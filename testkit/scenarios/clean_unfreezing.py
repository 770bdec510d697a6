"""Three parts of a network are unfrozen one after another; each time the optimizer's state grows by a stair, and then no more."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "phases", "steps": 150}


def epoch(model, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad(set_to_none=True)
        model(torch.randn(40, 416, device="cuda")).mean().backward()
        optimizer.step()


def main():
    model = Mlp(416, 3, 30).cuda().requires_grad_(False)
    linears = [layer for layer in model.body if hasattr(layer, "weight")]
    optimizer = torch.optim.Adam(linears[-1].requires_grad_(True).parameters(), fused=True)
    epoch(model, optimizer, 50)
    for linear in reversed(linears[:-1]):
        optimizer.add_param_group({"params": list(linear.requires_grad_(True).parameters())})
        epoch(model, optimizer, 50)
