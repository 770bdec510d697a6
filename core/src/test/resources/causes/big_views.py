import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def main():
    net = nn.Linear(256, 1024).cuda()
    firsts = []
    with torch.no_grad():
        for step in range(120):
            logits = net(torch.randn(64, 256, device="cuda"))
            firsts.append(logits[0])
            tick()
