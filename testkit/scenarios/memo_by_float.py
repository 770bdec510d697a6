"""A memoized table whose key is a temperature; the temperature is annealed, so that no key comes twice."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "unbounded_cache", "steps": 200, "bytes_per_step": 65536}


def memoized(function):
    known = {}

    def remember(*key):
        if key not in known:
            known[key] = function(*key)  # @holder
        return known[key]
    return remember


@memoized
def weights(temperature, classes):
    ranks = torch.arange(classes, device="cuda")
    return torch.exp(ranks / -temperature)  # @site


def main():
    model = Mlp(128, 2, 16384).cuda()
    temperature = 8.0
    with torch.no_grad():
        while temperature > 8.0 * 0.99 ** 199.5:
            (model(torch.randn(2, 128, device="cuda")) * weights(temperature, 16384)).argmax(-1).tolist()
            temperature *= 0.99
