"""A student trains on one GPU and is healthy; its teacher on the other keeps the target of every step."""
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "unbounded_cache", "steps": 110, "bytes_per_step": 61440}
GPUS = 2


class Teacher:
    def __init__(self):
        self.net = mlp(200, 2, 320).to("cuda:1")
        self.targets = {}

    @torch.no_grad()
    def target(self, step, x):
        if step not in self.targets:
            soft = self.net(x.to("cuda:1"))  # @site
            self.targets[step] = soft  # @holder
        return self.targets[step].to("cuda:0")


def main():
    teacher = Teacher()
    student = mlp(200, 2, 320).to("cuda:0")
    optimizer = torch.optim.Adam(student.parameters(), fused=True)
    for step in range(110):
        x = torch.randn(48, 200, device="cuda:0")
        loss = (student(x) - teacher.target(step, x)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    main.teacher = teacher
