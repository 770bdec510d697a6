"""Writes a snapshot in which no two allocations have the same stack: many_stacks.py STACKS FRAMES FILE. Made to cost memory; real ones repeat theirs."""
import pickle
import random
import sys

stacks, depth, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random.seed(1)
pool = [{"filename": f"/app/f{i % 200}.py", "line": i, "name": f"fn{i % 700}"} for i in range(5000)]
events = []
for i in range(stacks):
    block = {"addr": 0x7F0000000000 + i * 512, "size": 512, "stream": 0, "time_us": i}
    events.append({"action": "alloc", "frames": [random.choice(pool) for _ in range(depth)], **block})
    events.append({"action": "free_completed", "frames": [], **block})
with open(path, "wb") as file:
    pickle.dump({"segments": [], "device_traces": [events], "allocator_settings": {}}, file, 4)
