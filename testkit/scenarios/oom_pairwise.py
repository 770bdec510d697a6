"""All distances between all points: four times the memory for twice the points, until the matrix fits no card."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "oom", "cause": "too_large_request", "steps": 8}


def distances(points):
    points = points / points.square().sum(-1, keepdim=True).sqrt()
    cosines = points @ points.T  # @site
    return cosines.neg_().add_(1)


def main():
    model = Mlp(64, 2, 16).cuda()
    count = 1024
    with torch.no_grad():
        while True:
            points = torch.cat([model(torch.zeros(count // 8, 64, device="cuda")) for _ in range(8)])
            distances(points).amin(-1).cpu()
            count *= 2
