"""Requests of up to forty megabytes come and go; what stays is one number each, in a block of 512 bytes."""
import random
import torch

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 320, "bytes_per_step": 512}


def normalise(signal):
    loudest = signal.abs().amax()  # @site
    return signal / loudest, loudest


def main():
    random.seed(53)
    filters = torch.randn(1024, 32, device="cuda")
    peaks = []
    for _ in range(320):
        signal = torch.randn(random.randint(250, 10_000), 1024, device="cuda")
        signal, loudest = normalise(signal)
        peaks.append(loudest)  # @holder
        (signal @ filters).sum(0).cpu()
    main.peaks = peaks
