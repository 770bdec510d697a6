import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

def compute(net, x):
    return torch.relu(net(x))


LOG = []


def main():
    net = nn.Linear(256, 128).cuda()
    with torch.no_grad():
        for step in range(210):
            endpoint = ("/embed", "/rank", "/score")[step % 3]
            torch.cuda.memory._set_memory_metadata(endpoint)
            y = compute(net, torch.randn(64, 256, device="cuda"))
            if endpoint == "/rank":
                LOG.append(y)
            torch.cuda.memory._set_memory_metadata("")
            tick()
