"""Features are kept by document, weakly: they go when the reader closes the document. A few dozen are open at any time."""
import os
import random
import weakref

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "steps": 260, "recording": "python stacks", "dump": true}
STEPS = int(os.environ.get("STEPS", 260))
known = weakref.WeakKeyDictionary()


class Document:
    pass


def features(net, document):
    if document not in known:
        known[document] = net(torch.randn(20, 128, device="cuda"))
    return known[document]


@torch.no_grad()
def main():
    random.seed(31)
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(128, 256).cuda()
    opened = []
    for _ in range(STEPS):
        if len(opened) < 20 or random.random() < 0.5:
            opened.append(Document())
        features(net, random.choice(opened)).abs().max().item()
        if len(opened) > 24:
            del opened[random.randrange(len(opened))]
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
