import torch
from torch import nn


def main():
    net = nn.Sequential(nn.Linear(48, 96), nn.Tanh(), nn.Linear(96, 8)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    curve = []
    for step in range(90):
        loss = net(torch.randn(24, 48, device="cuda")).abs().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        curve.append(loss)
        tick()
