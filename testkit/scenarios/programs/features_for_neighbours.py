"""Features of every image that was ever served are kept to find neighbours among them."""
import os
import random

import timm
import torch

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["unbounded_cache"], "steps": 24, "library": "timm", "recording": "python stacks"}
# @advice bound|limit|cpu|deque
STEPS = int(os.environ.get("STEPS", 24))


class Search:
    def __init__(self):
        self.model = timm.create_model("test_resnet", pretrained=False).cuda().eval()
        self.bank = []

    def nearest(self, images):
        features = self.model.forward_features(images)  # @site
        self.bank.append(features)  # @holder @fix self.bank = [*self.bank[-3:], features]
        return len(self.bank)


@torch.inference_mode()
def main():
    random.seed(2)
    search = Search()
    torch.cuda.memory._record_memory_history(stacks="python")
    for _ in range(STEPS):
        search.nearest(torch.randn(random.choice((1, 2, 4)), 3, 96, 96, device="cuda"))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
