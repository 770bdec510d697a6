"""Trains a small network data-parallel: four processes, one GPU each, as torchrun starts them.

    torchrun --nproc-per-node 4 train.py        writes iteration_12/rank0_memory_snapshot.pickle to rank3_...

All ranks do the same, but for one. Find it with `leakline ranks iteration_12`, or look for "THE ODD RANK" below."""
import os

import torch
import torch.distributed as dist
from torch import nn

STEPS, CLASSES, WIDTH, BATCH = 12, 1_000, 512, 256


def batch():
    return torch.randn(BATCH, WIDTH, device="cuda"), torch.randint(CLASSES, (BATCH,), device="cuda")


def loss_of(model, inputs, labels):
    return nn.functional.cross_entropy(model(inputs), labels)


def average_gradients(model):
    for parameter in model.parameters():
        mean = parameter.grad.cpu()
        dist.all_reduce(mean)
        parameter.grad.copy_(mean / dist.get_world_size())


def train_step(model, optimizer):
    loss_of(model, *batch()).backward()
    average_gradients(model)
    optimizer.step()
    optimizer.zero_grad()


def validate(model):
    # THE ODD RANK: only the first rank validates, which is common. But without torch.no_grad() each of the losses keeps all activations
    # of its batch until the mean is taken, and this rank needs more memory than the others.
    losses = [loss_of(model, *batch()) for _ in range(8)]
    return torch.stack(losses).mean().item()


def train():
    rank = dist.get_rank()
    model = nn.Sequential(*(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU()) for _ in range(4)), nn.Linear(WIDTH, CLASSES)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step in range(STEPS):
        train_step(model, optimizer)
        if rank == 0 and step % 4 == 3:
            print(f"step {step}: validation loss {validate(model):.3f}")
    os.makedirs(f"iteration_{STEPS}", exist_ok=True)
    torch.cuda.memory._dump_snapshot(f"iteration_{STEPS}/rank{rank}_memory_snapshot.pickle")


if __name__ == "__main__":
    dist.init_process_group("gloo")
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())
    torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")
    train()
