"""A transformer trains with gradient checkpointing; the optimizer's state comes with the first step."""
import os

import torch
import transformers

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 9, "library": "transformers", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 9))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    config = transformers.BertConfig(vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, max_position_embeddings=32)
    model = transformers.BertForMaskedLM(config).cuda()
    model.gradient_checkpointing_enable()
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(STEPS):
        tokens = torch.ones(4, 32, dtype=torch.long, device="cuda")
        loss = model(tokens, labels=tokens).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
