"""Sessions' states are updated in place, so that only a new session allocates: every sixth request. No session ever ends."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 360, "every": 6, "bytes_per_step": 2730.7, "recording": "all stacks"}
# @advice bound|limit|evict|expire|clear
STEPS = int(os.environ.get("STEPS", 360))


class Games:
    def __init__(self):
        self.net = nn.Linear(64, 32).cuda()
        self.seats = {}

    def play(self, player):
        if player not in self.seats:
            self.seats[player] = torch.zeros(64, 64, device="cuda")  # @site @holder @fix self.seats = {**dict(list(self.seats.items())[-15:]), player: torch.zeros(64, 64, device="cuda")}
        table = self.seats[player]
        table.add_(1)
        return self.net(table[:1]).argmax().item()


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    games = Games()
    for turn in range(STEPS):
        games.play(turn // 6)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
