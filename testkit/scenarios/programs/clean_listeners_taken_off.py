"""Each rollout listens to an event of the simulator, and is taken off the list when it is over."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 150, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 150))


class Simulator:
    def __init__(self):
        self.listeners = []

    def subscribe(self, listener):
        self.listeners.append(listener)

    def unsubscribe(self, listener):
        self.listeners.remove(listener)


class Rollout:
    def __init__(self, net, simulator):
        self.states = net(torch.randn(40, 90, device="cuda"))
        simulator.subscribe(self.on_tick)

    def on_tick(self, time):
        self.time = time


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    net, simulator = nn.Linear(90, 200).cuda(), Simulator()
    for _ in range(STEPS):
        rollout = Rollout(net, simulator)
        rollout.states.mean().item()
        simulator.unsubscribe(rollout.on_tick)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
