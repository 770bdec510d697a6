"""Trains a small language model on texts of all lengths, and runs out of GPU memory at the first long ones.

    python train_too_large.py        writes train_too_large.pickle, PyTorch's recording of every allocation

What fills the GPU, and what brings it down: `leakline report train_too_large.pickle`; whether it fits elsewhere:
`leakline fit --device-memory 16GiB train_too_large.pickle`."""
import torch
from torch import nn
from torch.nn.functional import cross_entropy

VOCABULARY, LONGEST, BATCH = 32_000, 2048, 4


class LanguageModel(nn.Module):
    def __init__(self, width=768, heads=12, layers=12):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, width)
        self.positions = nn.Embedding(LONGEST, width)
        block = nn.TransformerEncoderLayer(width, heads, 4 * width, activation="gelu", batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.scores = nn.Linear(width, VOCABULARY)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(LONGEST), persistent=False)

    def forward(self, tokens):
        length = tokens.shape[1]
        x = self.words(tokens) + self.positions.weight[:length]
        return self.scores(self.blocks(x, self.mask[:length, :length], is_causal=True))


def train():
    model = LanguageModel().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step, length in enumerate([384, 512, 448, 512, 640, LONGEST]):
        tokens = torch.randint(VOCABULARY, (BATCH, length + 1), device="cuda")
        scores = model(tokens[:, :-1])
        loss = cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"step {step}: loss {loss.item():.3f}")


if __name__ == "__main__":
    torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")
    try:
        train()
    finally:
        torch.cuda.memory._dump_snapshot("train_too_large.pickle")
