"""Each rollout listens to an event of the simulator that outlives it, and is never taken off the list again."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "shown": "registered_callback", "patched": true, "steps": 150, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 150))


class Simulator:
    def __init__(self):
        self.listeners = []

    def subscribe(self, listener):
        self.listeners.append(listener)

    def tick(self, time):
        for listener in self.listeners:
            listener(time)


class Rollout:
    def __init__(self, net, simulator):
        self.states = net(torch.randn(40, 90, device="cuda"))  # @site
        self.time = 0
        simulator.subscribe(self.on_tick)  # @holder @fix import weakref; simulator.subscribe(lambda *given, method=weakref.WeakMethod(self.on_tick): method() and method()(*given))

    def on_tick(self, time):
        self.time = time

    def value(self):
        return self.states.mean().item()


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    net, simulator = nn.Linear(90, 200).cuda(), Simulator()
    for step in range(STEPS):
        rollout = Rollout(net, simulator)
        simulator.tick(step)
        rollout.value()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
