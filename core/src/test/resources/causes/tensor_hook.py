import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def main():
    net = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 16)).cuda()
    history = []

    def keep(grad):
        history.append(grad.clone())
        return grad

    net[0].weight.register_hook(keep)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(120):
        loss = net(torch.randn(32, 256, device="cuda")).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        tick()
