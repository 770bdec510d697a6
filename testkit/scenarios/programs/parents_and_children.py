"""A request is a tree of nodes that know their parents, with a table at each; trees are dropped whole, but only the collector gets them."""
import os  # @fix import os\nimport weakref

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "steps": 280, "recording": "all stacks"}
# @advice weakref|cycle|parent|break
STEPS = int(os.environ.get("STEPS", 280))


class Node:
    def __init__(self, parent, net, depth):
        self.parent = parent  # @holder @fix self.parent = weakref.ref(parent) if parent else None
        self.table = net(torch.randn(12, 64, device="cuda"))  # @site
        self.children = [Node(self, net, depth - 1) for _ in range(2)] if depth else []

    def best(self):
        return max([self.table.mean().item(), *(child.best() for child in self.children)])


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(64, 256).cuda()
    for _ in range(STEPS):
        Node(None, net, 1).best()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
