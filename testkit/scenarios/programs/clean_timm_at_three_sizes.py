"""A vision model looks at images of three sizes in any order; positions are interpolated for each and kept by size."""
import os
import random

import timm
import torch

# @truth {"verdict": "no_leak", "cause": "input_size", "also": ["bounded_cache", "warm_up"], "steps": 14, "library": "timm", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 14))


@torch.inference_mode()
def main():
    random.seed(15)
    torch.cuda.memory._record_memory_history(stacks="python")
    model = timm.create_model("test_resnet", pretrained=False).cuda().eval()
    weights = {}
    for _ in range(STEPS):
        size = random.choice((64, 96, 128))
        if size not in weights:
            weights[size] = torch.ones(size, size, device="cuda")
        model(torch.randn(2, 3, size, size, device="cuda") * weights[size]).argmax(-1).cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
