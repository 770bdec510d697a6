"""A document's pages refer to it, and it to its pages. The service calls the collector after every 30 documents, which is what frees them."""
import gc
import os

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "steps": 200, "recording": "all stacks"}
# @advice weakref|cycle|break
STEPS = int(os.environ.get("STEPS", 200))


class Page:
    def __init__(self, document, features):
        self.document = document  # @holder @fix self.document = None
        self.features = features


class Document:
    def __init__(self):
        self.pages = [Page(self, torch.randn(24, 120, device="cuda")) for _ in range(2)]  # @site

    def features(self):
        return torch.cat([page.features for page in self.pages])


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(120, 16).cuda()
    for step in range(STEPS):
        net(Document().features()).mean().item()
        if step % 30 == 29:
            gc.collect()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
