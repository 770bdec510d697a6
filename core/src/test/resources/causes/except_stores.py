import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

class Rejected(Exception):
    pass


def handle(net, x, step):
    vector = net(x)
    if step % 3 == 0:
        raise Rejected("too long", vector)
    scores = vector.softmax(-1)
    return scores.max()


def main():
    net = nn.Linear(256, 256).cuda()
    rejected = []
    with torch.no_grad():
        for step in range(150):
            x = torch.randn(64, 256, device="cuda")
            try:
                handle(net, x, step)
            except Rejected as error:
                rejected.append(error.args[1])
            tick()
