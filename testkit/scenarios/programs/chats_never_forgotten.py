"""A chat service keeps the key-value cache of every chat for its next turn. People leave without saying so."""
import os
import random

import torch
import transformers

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 32, "library": "transformers", "recording": "python stacks"}
# @advice bound|limit|evict|expire|drop|clear
STEPS = int(os.environ.get("STEPS", 32))


class Chats:
    def __init__(self, model):
        self.model = model
        self.caches = {}

    def turn(self, user, words):
        tokens = torch.ones(1, words, dtype=torch.long, device="cuda")
        out = self.model(tokens, past_key_values=self.caches.get(user), use_cache=True)  # @site
        self.caches[user] = out.past_key_values  # @holder @fix self.caches = {**dict(list(self.caches.items())[-3:]), user: out.past_key_values}
        return out.logits[:, -1].argmax(-1).cpu()


@torch.inference_mode()
def main():
    random.seed(8)
    config = transformers.GPT2Config(vocab_size=120, n_embd=64, n_layer=2, n_head=4, n_positions=256)
    chats = Chats(transformers.GPT2LMHeadModel(config).cuda().eval())
    torch.cuda.memory._record_memory_history(stacks="python")
    for turn in range(STEPS):
        chats.turn(turn // 2 if turn % 2 else random.randint(max(0, turn // 2 - 2), turn // 2), random.randint(20, 40))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
