"""Sessions' states are updated in place, so that only a new session allocates. There are sixteen seats; the tables of those who leave are reused."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "also": ["retained_state"], "steps": 400, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 400))


class Games:
    def __init__(self):
        self.net = nn.Linear(64, 32).cuda()
        self.seats = {}

    def play(self, player):
        if player not in self.seats:
            if len(self.seats) == 16:
                self.seats.pop(random.choice(list(self.seats)))
            self.seats[player] = torch.zeros(64, 64, device="cuda")
        table = self.seats[player]
        table.add_(1)
        return self.net(table[:1]).argmax().item()


@torch.inference_mode()
def main():
    random.seed(50)
    torch.cuda.memory._record_memory_history()
    games = Games()
    for turn in range(STEPS):
        games.play(random.randint(turn // 12, turn // 12 + 6))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
