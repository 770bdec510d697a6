"""Every epoch makes a new optimizer and files the old one, whose state stays on the GPU."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 132, "every": 12}


def run_epoch(model, optimizer):
    for _ in range(12):
        optimizer.zero_grad()
        model(torch.randn(32, 300, device="cuda")).mean().backward()
        optimizer.step()  # @site


def main():
    model = Mlp(300, 3, 50).cuda()
    past = []
    for epoch in range(11):
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1 / (epoch + 1), fused=True)
        run_epoch(model, optimizer)
        past.append(optimizer)  # @holder
    main.past = past
