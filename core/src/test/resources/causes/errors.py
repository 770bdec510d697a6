import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def handle(net, x, step):
    hidden = net(x)
    if step % 3 == 0:
        raise ValueError("too long")
    scores = hidden.softmax(-1)
    return scores.max()


def main():
    net = nn.Linear(256, 256).cuda()
    failures = []
    with torch.no_grad():
        for step in range(150):
            x = torch.randn(64, 256, device="cuda")
            try:
                handle(net, x, step)
            except ValueError as error:
                failures.append(error)
            tick()
