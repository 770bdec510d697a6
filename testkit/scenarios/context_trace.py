"""Tracing notes what each layer saw in a context variable; every set() extends the tuple and none is undone."""
import contextvars
import torch
from torch import nn

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 190, "bytes_per_step": 12288}
notes = contextvars.ContextVar("notes", default=())


def note(name, activation):
    summary = activation.square().mean(0)  # @site
    notes.set((*notes.get(), (name, summary)))  # @holder


def respond(layers, count):
    x = torch.randn(count, 1024, device="cuda")
    for name, layer in layers.items():
        x = torch.tanh(layer(x))
        note(name, x)
    return x.amax(-1).cpu()


@torch.inference_mode()
def main():
    layers = nn.ModuleDict({name: nn.Linear(1024, 1024) for name in ("early", "middle", "late")}).cuda()
    for request in range(190):
        respond(layers, 16 + request % 5)
