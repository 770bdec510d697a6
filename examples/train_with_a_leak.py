"""Trains a small language model and leaks GPU memory on the way, as real scripts do.

    python train_with_a_leak.py        writes train_with_a_leak.pickle, PyTorch's recording of every allocation

Find the leak with `leakline report train_with_a_leak.pickle`."""
import torch
from torch.nn.functional import cross_entropy

from model import LanguageModel

STEPS, VOCABULARY, LENGTH = 32, 16_000, 256


def batches(count, size):
    for _ in range(count):
        yield torch.randint(VOCABULARY, (size, LENGTH + 1), device="cuda")


def next_word_loss(model, tokens):
    scores = model(tokens[:, :-1])
    return cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())


def train_step(model, optimizer, tokens):
    loss = next_word_loss(model, tokens)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    return loss.item()


def train():
    model = LanguageModel(VOCABULARY, LENGTH).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    held_out = next(batches(1, size=2))
    training_loss = validation_loss = 0.0
    for step, tokens in enumerate(batches(STEPS, size=8), start=1):
        training_loss += train_step(model, optimizer, tokens)
        # The same batch after each step shows how well the model does on text that it was not trained on. It is small: two
        # examples are enough to see whether the loss still falls.
        validation_loss += next_word_loss(model, held_out)
        if step % 8 == 0:
            print(f"step {step}: training loss {training_loss / step:.3f}, validation loss {validation_loss / step:.3f}, "
                  f"{torch.cuda.memory_allocated() / 2**30:.2f} GiB allocated")
    torch.cuda.memory._dump_snapshot("train_with_a_leak.pickle")


if __name__ == "__main__":
    torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")
    train()
