import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def stream(net, x):
    state = net(x)
    for part in range(4):
        state = state * 0.5
        yield state.sum()


def main():
    net = nn.Linear(256, 256).cuda()
    open_streams = []
    with torch.no_grad():
        for step in range(120):
            answer = stream(net, torch.randn(64, 256, device="cuda"))
            next(answer)
            open_streams.append(answer)
            tick()
