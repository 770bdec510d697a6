"""Twenty-eight layers are loaded one by one, each converted to half precision; then requests are served, and nothing more stays."""
import torch

TRUTH = {"verdict": "no_leak", "cause": "retained_state", "steps": 180}


def load(layers, width):
    loaded = []
    for _ in range(layers):
        stored = torch.zeros(width, width)
        full = stored.to("cuda")
        loaded.append(full.to(torch.float16))
    return loaded


def answer(weights, count):
    x = torch.zeros(count, 320, dtype=torch.float16, device="cuda")
    for weight in weights[::7]:
        x = torch.relu(x @ weight)
    return x.float().mean(-1).cpu()


@torch.inference_mode()
def main():
    weights = load(28, 320)
    for request in range(180):
        answer(weights, 1 + request % 16)
    main.weights = weights
