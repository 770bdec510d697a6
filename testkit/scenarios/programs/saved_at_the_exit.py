"""Each fold registers a function that saves its last weights when the process ends: until then all folds stay."""
import atexit
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "models_kept", "also": ["kept_in_container"], "shown": "registered_callback", "patched": true, "steps": 40, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 40))


def save(number, net):
    torch.save(net.state_dict(), f"fold-{number}.pt")


def fold(number):
    net = nn.Sequential(nn.Linear(100, 300), nn.ReLU(), nn.Linear(300, 10)).cuda()  # @site
    atexit.register(save, number, net)  # @holder @fix atexit.unregister(save); atexit.register(save, number, net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for _ in range(6):
        loss = net(torch.randn(32, 100, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    print(min(fold(number) for number in range(STEPS)))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
