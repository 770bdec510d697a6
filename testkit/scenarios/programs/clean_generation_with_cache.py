"""A language model answers prompts; each answer's keys and values grow token by token and go with the answer."""
import os
import random

import torch
import transformers

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 7, "library": "transformers", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 7))


def answer(model, prompt, tokens):
    said = []
    out = model(prompt, use_cache=True)
    for _ in range(tokens):
        word = out.logits[:, -1:].argmax(-1)
        said.append(word.cpu())
        out = model(word, past_key_values=out.past_key_values, use_cache=True)
    return said


@torch.inference_mode()
def main():
    random.seed(1)
    config = transformers.LlamaConfig(vocab_size=200, hidden_size=64, intermediate_size=96, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=128)
    model = transformers.LlamaForCausalLM(config).cuda().eval()
    torch.cuda.memory._record_memory_history(stacks="python")
    for _ in range(STEPS):
        prompt = torch.ones(1, random.randint(4, 9), dtype=torch.long, device="cuda")
        answer(model, prompt, random.randint(3, 6))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
