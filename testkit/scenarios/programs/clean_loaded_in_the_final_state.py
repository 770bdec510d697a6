"""A model is loaded, layer by layer, and nothing else; recording was told to keep stacks of the final state only."""
import os

import torch

# @truth {"verdict": "undetermined", "steps": 120, "recording": "final state only"}
# @says final state
STEPS = int(os.environ.get("STEPS", 120))


def main():
    torch.cuda.memory._record_memory_history(context="state", stacks="python")
    weights = {}
    for number in range(STEPS):
        half = torch.randn(96, 64).cuda().half()
        weights[f"layers.{number}.weight"] = half.float()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
