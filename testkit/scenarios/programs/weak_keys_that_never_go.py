"""Features are kept in a WeakKeyDictionary by document, to go with it. But the features know their document, and so it never goes."""
import os
import weakref

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "weak_keys", "also": ["kept_in_container", "unbounded_cache"], "steps": 110, "bytes_per_step": 20480, "recording": "python stacks", "dump": true}
# @advice weak|bound|clear
STEPS = int(os.environ.get("STEPS", 110))
known = weakref.WeakKeyDictionary()


class Document:
    pass


class Features:
    def __init__(self, document, vector):
        self.document = document  # @holder @fix self.document = weakref.ref(document)
        self.vector = vector


def features(net, document):
    if document not in known:
        known[document] = Features(document, net(torch.randn(20, 128, device="cuda")))  # @site
    return known[document].vector


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(128, 256).cuda()
    for _ in range(STEPS):
        document = Document()
        (features(net, document) - features(net, document)).abs().max().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
