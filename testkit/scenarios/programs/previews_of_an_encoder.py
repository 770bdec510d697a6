"""The encoder is called for every batch, and every twelfth time again for a preview, whose features are kept for a film of the training."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["autograd_graph_kept"], "steps": 96, "every": 12, "recording": "python stacks"}
# @advice cpu|bound|disk|host
STEPS = int(os.environ.get("STEPS", 96))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 256)
        self.second = nn.Linear(256, 128)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def preview(encoder, film):
    with torch.no_grad():
        film.append(encoder(torch.randn(100, 64, device="cuda")))  # @site @holder @fix film.append(encoder(torch.randn(100, 64, device="cuda")).cpu())


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    encoder = Encoder().cuda()
    decoder = nn.Linear(128, 64).cuda()
    optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.01, momentum=0.9)
    film = []
    for step in range(STEPS):
        x = torch.randn(32, 64, device="cuda")
        loss = (decoder(encoder(x)) - x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 12 == 6:
            preview(encoder, film)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
