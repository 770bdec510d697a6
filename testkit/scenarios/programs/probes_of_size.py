"""The longest document that can be read in one piece is found by doubling until one does not fit; the snapshot is written when the error comes."""
import os

import torch
from torch import nn

# @truth {"verdict": "oom", "cause": "too_large_request", "steps": 1, "recording": "all stacks"}
# @advice smaller|split|chunk|shorter|flash|scaled_dot_product|parts
STEPS = int(os.environ.get("STEPS", 1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(64, 192)

    def forward(self, x):
        q, k, v = self.qkv(x).view(len(x), 3, 4, 16).unbind(1)
        scores = torch.einsum("ihd,jhd->hij", q, k)  # @site
        return torch.einsum("hij,jhd->ihd", scores.softmax(-1), v)  # @site


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    attention = Attention().cuda()
    words = 64
    try:
        while True:
            document = torch.randn(words, 64, device="cuda")
            attention(document).mean().item()
            words *= 2
    except torch.cuda.OutOfMemoryError:
        torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
