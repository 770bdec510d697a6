import torch


class Batch:
    waiting = []

    def __init__(self, number):
        if len(Batch.waiting) == 31:
            Batch.waiting.clear()
        self.rows = torch.zeros(48, 256, device="cuda")
        Batch.waiting.append(self.rows)


def main():
    for number in range(260):
        batch = Batch(number)
        torch.add(batch.rows, 1, out=batch.rows)
        tick()
