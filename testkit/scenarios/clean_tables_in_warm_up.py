"""The first tenth of the requests each need a table that was not there; after that there is one for everything."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "warm_up", "steps": 280}


class Tables:
    def __init__(self):
        self.by_bucket = {}

    def for_bucket(self, bucket):
        table = self.by_bucket.get(bucket)
        if table is None:
            table = self.by_bucket[bucket] = torch.linspace(0, 1, 320 * 64, device="cuda").view(64, 320) ** bucket
        return table


@torch.no_grad()
def main():
    model = Mlp(320, 2, 12).cuda()
    tables = Tables()
    for request in range(280):
        model(torch.randn(64, 320, device="cuda") + tables.for_bucket(request * 11 % 28)).argmax(-1).cpu()
    main.tables = tables
