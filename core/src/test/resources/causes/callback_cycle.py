import torch


class Region:
    def allocate(self, rows):
        return torch.zeros(rows, 256, device="cuda")


class Request:
    def __init__(self, region, rows):
        self.rows = rows
        self.finish = lambda total: total * self.rows
        self.region = region

    def run(self):
        self.data = self.region.allocate(self.rows)
        return self.finish(1)


def main():
    region = Region()
    for step in range(1600):
        Request(region, 48).run()
        tick()
