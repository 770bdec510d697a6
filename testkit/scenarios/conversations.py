"""Each turn of a conversation replaces its keys and values by longer ones; conversations that nobody continues are never dropped."""
import random
import torch
from torch import nn

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 300}


class Chat:
    def __init__(self, width=256):
        self.width = width
        self.project = nn.Linear(width, 2 * width).cuda()
        self.past = {}

    def turn(self, conversation, length):
        x = torch.randn(length, self.width, device="cuda")
        key, value = self.project(x).chunk(2, -1)
        keys, values = self.past.get(conversation, (key[:0], value[:0]))
        keys = torch.cat((keys, key))  # @site
        values = torch.cat((values, value))  # @site
        self.past[conversation] = keys, values  # @holder
        return torch.softmax(x @ keys.T, -1) @ values


def main():
    random.seed(41)
    chat = Chat()
    newest = 0
    with torch.no_grad():
        for _ in range(300):
            if random.random() < 0.25:
                newest += 1
            chat.turn(max(0, newest - random.randint(0, 3)), random.randint(6, 40))
    main.chat = chat
