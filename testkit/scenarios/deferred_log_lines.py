"""Log lines are closures that are to be evaluated at the end; each holds an activation. When the function returns, all is given back."""
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "closure", "steps": 210, "bytes_per_step": 98304}


def score(model, head, count):
    lines = []
    for number in range(count):
        hidden = model(torch.randn(64, 192, device="cuda"))  # @site
        lines.append(lambda hidden=hidden: f"{number}: {hidden.norm().item():.2f}")  # @holder
        head(hidden).argmax(-1).cpu()
    return "\n".join(line() for line in lines)


@torch.inference_mode()
def main():
    model, head = mlp(192, 2, 384).cuda(), mlp(384, 1, 7).cuda()
    print(score(model, head, 210))
