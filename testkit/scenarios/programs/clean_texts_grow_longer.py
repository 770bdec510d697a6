"""A curriculum: texts grow longer every few steps, and with them everything that a step needs."""
import os

import torch
import transformers

# @truth {"verdict": "no_leak", "cause": "input_size", "steps": 18, "library": "transformers", "recording": "alloc context"}
STEPS = int(os.environ.get("STEPS", 18))


def main():
    config = transformers.GPT2Config(vocab_size=80, n_embd=32, n_layer=1, n_head=2, n_positions=512)
    model = transformers.GPT2LMHeadModel(config).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    torch.cuda.memory._record_memory_history(context="alloc", stacks="python")
    out = None
    for step in range(STEPS):
        tokens = torch.ones(2, 16 + 8 * (step // 2), dtype=torch.long, device="cuda")
        out = model(tokens, labels=tokens)
        optimizer.zero_grad()
        out.loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")
    return out


if __name__ == "__main__":
    main()
