"""Answers are generated into a static cache that is made once and reset for each of them."""
import os
import random

import torch
import transformers

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["retained_state"], "steps": 9, "library": "transformers", "recording": "alloc context"}
STEPS = int(os.environ.get("STEPS", 9))


@torch.inference_mode()
def main():
    random.seed(5)
    config = transformers.LlamaConfig(vocab_size=120, hidden_size=64, intermediate_size=96, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=64)
    torch.cuda.memory._record_memory_history(context="alloc", stacks="python")
    model = transformers.LlamaForCausalLM(config).cuda().eval()
    cache = transformers.StaticCache(config=config, max_cache_len=48)
    for _ in range(STEPS):
        cache.reset()
        word = torch.ones(1, random.randint(3, 9), dtype=torch.long, device="cuda")
        for _ in range(random.randint(2, 6)):
            out = model(word, past_key_values=cache, use_cache=True)
            word = out.logits[:, -1:].argmax(-1)
        word.cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
