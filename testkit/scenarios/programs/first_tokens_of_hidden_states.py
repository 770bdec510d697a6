"""Only the first token's vector of each batch is kept for an index, but as a view of all hidden states."""
import os

import torch
import transformers

# @truth {"verdict": "leak", "cause": "view_keeps_storage", "steps": 24, "bytes_per_step": 131072, "library": "transformers", "recording": "python stacks"}
# @advice clone|copy the part|view
STEPS = int(os.environ.get("STEPS", 24))


@torch.inference_mode()
def main():
    config = transformers.BertConfig(vocab_size=100, hidden_size=64, num_hidden_layers=2, num_attention_heads=2, intermediate_size=96, max_position_embeddings=64)
    model = transformers.BertModel(config, add_pooling_layer=False).cuda().eval()
    torch.cuda.memory._record_memory_history(stacks="python")
    index = []
    for _ in range(STEPS):
        tokens = torch.ones(16, 32, dtype=torch.long, device="cuda")
        hidden = model(tokens).last_hidden_state  # @site
        index.append(hidden[:, 0])  # @holder @fix index.append(hidden[:, 0].clone().cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
