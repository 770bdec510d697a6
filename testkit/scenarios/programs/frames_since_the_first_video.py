"""A video model attends to all frames so far, and looks at one clip after the other. The memory of frames belongs to the model, not to a clip."""
import os

import torch

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 80, "recording": "python stacks"}
# @advice bound|window|reset|clear
STEPS = int(os.environ.get("STEPS", 80))


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.projection = torch.nn.Linear(128, 384)
        self.seen = None

    def forward(self, frames, mask):
        query, key, value = self.projection(frames).chunk(3, dim=-1)
        new = torch.stack([key, value])
        self.seen = new if self.seen is None else torch.cat([self.seen, new], dim=2)  # @site @holder @fix self.seen = new if self.seen is None else torch.cat([self.seen, new], dim=2)[:, :, -48:].clone()
        mask = mask[:, -self.seen.shape[2]:]
        scores = query @ self.seen[0].transpose(1, 2) / 11.3 + mask
        return frames + scores.softmax(-1) @ self.seen[1]


class Video(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Linear(64, 128)
        self.layers = torch.nn.ModuleList(Attention() for _ in range(2))

    def forward(self, clip):
        frames = self.embedding(clip)
        seen = self.layers[0].seen
        known = 0 if seen is None else seen.shape[2]
        mask = torch.ones(clip.shape[1], known + clip.shape[1], device="cuda").triu(known + 1) * -1e9
        for layer in self.layers:
            frames = layer(frames, mask)
        return frames.mean(1)


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    video = Video().cuda().eval()
    for _ in range(STEPS):
        video(torch.zeros(2, 24, 64).cuda()).cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
