import torch
from torch import nn

TRUTH = {}


class Desk:
    def __init__(self):
        self.replies = {}

    def answer(self, number, question):
        self.replies[number] = net(question)


net = nn.Linear(128, 128).cuda()


def main():
    desk = Desk()
    with torch.no_grad():
        for number in range(150):
            desk.answer(number, torch.randn(64, 128, device="cuda"))
            tick()
