import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def main():
    net = nn.Sequential(nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 16)).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for step in range(120):
        out = net(torch.randn(64, 256, device="cuda"))
        loss = out.pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        losses.append(loss)
        tick()
