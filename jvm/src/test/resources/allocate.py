"""Allocates on a GPU what it is told to, line by line, and answers PyTorch's counters."""
import sys

try:
    import torch
    DEVICE = torch.device("cuda") if torch.cuda.is_available() else None
except ImportError:
    DEVICE = None

held = {}


def counters():
    cuda = torch.cuda
    return (cuda.memory_allocated(), cuda.memory_reserved(), cuda.max_memory_allocated(), cuda.max_memory_reserved())


def answer(command, name="", size="0"):
    if command == "allocate":
        held[name] = torch.empty(int(size), dtype=torch.uint8, device=DEVICE)
    elif command == "free":
        del held[name]
    elif command == "reset":
        torch.cuda.reset_peak_memory_stats()
    return " ".join(map(str, counters()))


print("ready" if DEVICE else "no torch with a GPU", flush=True)
for line in sys.stdin if DEVICE else ():
    print(answer(*line.split()), flush=True)
