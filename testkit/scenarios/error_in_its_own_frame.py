"""A handler remembers the error in a local variable: the traceback holds the frame, the frame the error, and both the batch."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "cycle", "cause": "reference_cycle", "steps": 900}


def check(label):
    if label > 1:
        raise ValueError(f"no class {label}")


def handle(model, label):
    problem = None
    batch = torch.zeros(48, 256, device="cuda")  # @site
    try:
        check(label)
    except ValueError as error:
        problem = error  # @holder
        return str(problem)
    return model(batch).argmax(-1).cpu()


def main():
    model = Mlp(256, 2, 8).cuda()
    with torch.inference_mode():
        for number in range(900):
            handle(model, number % 9)
