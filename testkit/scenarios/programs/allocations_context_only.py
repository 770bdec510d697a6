"""Labels made by a teacher are kept for the next epoch, which never asks for them by the same key. Frees are recorded without stacks."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 90, "bytes_per_step": 10240, "recording": "alloc context"}
# @advice key|bound|limit|cpu
STEPS = int(os.environ.get("STEPS", 90))


class Teacher:
    def __init__(self):
        self.net = nn.Linear(48, 40).cuda().eval()
        self.labels = {}

    def label(self, batch):
        key = id(batch), batch.data_ptr(), len(self.labels)
        if key not in self.labels:
            with torch.no_grad():
                self.labels[key] = torch.softmax(self.net(batch), -1)  # @site @holder @fix return torch.softmax(self.net(batch), -1)
        return self.labels[key]


def main():
    torch.cuda.memory._record_memory_history(context="alloc", stacks="python")
    teacher = Teacher()
    student = nn.Sequential(nn.Linear(48, 32), nn.ReLU(), nn.Linear(32, 40)).cuda()
    optimizer = torch.optim.RMSprop(student.parameters())
    for _ in range(STEPS):
        batch = torch.randn(64, 48, device="cuda")
        loss = (student(batch) - teacher.label(batch)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
