"""Heat maps of a segmenter are kept for every image; recording keeps only the last entries."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 200, "bytes_per_step": 36864, "recording": "small ring, all stacks"}
# @advice cpu|bound|limit|disk
STEPS = int(os.environ.get("STEPS", 200))


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, images):
        return self.second(torch.relu(self.first(images)))


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(max_entries=900)
    model = Segmenter().cuda().eval()
    maps = {}
    for number in range(STEPS):
        image = torch.randn(1, 1, 96, 96, device="cuda")
        heat = torch.sigmoid(model(image))  # @site
        maps[f"image{number}.png"] = heat  # @holder @fix maps[f"image{number}.png"] = heat.cpu()
        heat.max().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
