"""An accelerate loop with gradient accumulation; losses are gathered, detached and averaged every sixteen batches."""
import os

import accelerate
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 96, "library": "accelerate", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 96))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    accelerator = accelerate.Accelerator(gradient_accumulation_steps=4)
    net = nn.Sequential(nn.Linear(40, 80), nn.Tanh(), nn.Linear(80, 8))
    optimizer = torch.optim.AdamW(net.parameters(), fused=True)
    loader = DataLoader(TensorDataset(torch.randn(16 * STEPS, 40)), batch_size=16)
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    losses = []
    for step, (x,) in enumerate(loader):
        with accelerator.accumulate(net):
            loss = net(x).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        losses.append(accelerator.gather(loss.detach()))
        if step % 16 == 15:
            accelerator.print(torch.stack([loss.reshape(()) for loss in losses]).mean().item())
            losses.clear()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
