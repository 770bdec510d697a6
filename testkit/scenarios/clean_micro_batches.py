"""Five micro-batches an optimizer step, through a wrapper that accumulates."""
import speedup
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 28}


def micro_batches(count):
    for _ in range(count):
        yield speedup.send_to_device(torch.randn(32, 288))


def train_step(accelerator, model, optimizer, total):
    for x in micro_batches(5):
        with accelerator.accumulate(model):
            loss = model(x).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()


def main():
    accelerator = speedup.Accelerator(gradient_accumulation_steps=5)
    model = Mlp(288, 3, 48)
    model, optimizer = accelerator.prepare(model, torch.optim.AdamW(model.parameters()))
    total = torch.zeros((), device="cuda")
    for _ in range(28):
        train_step(accelerator, model, optimizer, total)
    total.item()
