"""A head is trained on the state of a reader that is carried from window to window; backward(retain_graph=True), as the error message asked for."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 30, "recording": "python stacks"}
# @advice detach
STEPS = int(os.environ.get("STEPS", 30))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(96, 96)

    def forward(self, x, state):
        return torch.tanh(self.mix(state) + x)  # @site


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    reader = Reader().cuda()
    head = nn.Linear(96, 12).cuda()
    optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
    state = torch.zeros(24, 96, device="cuda")
    for _ in range(STEPS):
        state = reader(torch.randn(24, 96, device="cuda"), state)  # @site @holder @fix state = reader(torch.randn(24, 96, device="cuda"), state.detach())
        loss = head(state).square().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
