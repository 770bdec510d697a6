"""A calibration pass leaves a small tensor in each large segment that its outputs have just emptied: what comes next finds only holes."""
import torch

TRUTH = {"verdict": "oom_fragmentation", "cause": "fragmentation", "steps": 200}
MIB = 2 ** 20


def calibrate(layers):
    outputs, statistics = [], []
    for _ in range(layers):
        widened = torch.empty(100 * MIB, dtype=torch.uint8, device="cuda")
        del widened
        outputs.append(torch.empty(95 * MIB, dtype=torch.uint8, device="cuda"))
        statistics.append(torch.empty(3 * MIB, dtype=torch.uint8, device="cuda"))  # @site @holder
    return statistics


def train(activations):
    kept = []
    for _ in range(activations):
        kept.append(torch.empty(512 * MIB, dtype=torch.uint8, device="cuda"))
    return len(kept)


def main():
    _, total = torch.cuda.mem_get_info()
    statistics = calibrate(int(total * 0.85) // (100 * MIB))
    main.statistics = statistics
    train(total // (1024 * MIB))
