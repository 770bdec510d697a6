"""Scores are gathered from all processes, which makes a copy even for one process, and the copies are kept for the end of the run."""
import speedup
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 100, "bytes_per_step": 24576}


def main():
    accelerator = speedup.Accelerator()
    model = Mlp(208, 2, 128)
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=0.1))
    everything = []
    for batch in (torch.randn(48, 208) for _ in range(100)):
        with accelerator.accumulate(model):
            scores = model(speedup.send_to_device(batch))
            accelerator.backward(scores.square().mean())
            optimizer.step()
            optimizer.zero_grad()
        everything.append(accelerator.gather(scores.detach()))  # @site @holder
    main.everything = everything
