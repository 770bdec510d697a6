#!/usr/bin/env python3
"""Makes a log of some size: big_log.py KIND BYTES OUT.

Kinds: train (a logger's lines, one in 50 of memory), bars (tqdm's, one line of a million characters), crash (a job that runs out of memory, is
started again, and so on), http (a server's access log)."""
import random, sys

CRASH = '''Traceback (most recent call last):
  File "/app/train.py", line 88, in <module>
    main()
  File "/app/train.py", line 71, in main
    loss = model(batch).mean()
  File "/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1736, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1747, in _call_impl
    return forward_call(*args, **kwargs)
  File "/app/model.py", line 33, in forward
    x = self.attention(x, mask=mask)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d.00 MiB. GPU 0 has a total capacity of 79.15 GiB of which 1.2%d GiB is free. Including non-PyTorch memory, this process has 77.90 GiB memory in use. Of the allocated memory 74.%d GiB is allocated by PyTorch, and 2.%d GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)
'''


class Job:
    """What its lines tell goes on from one to the next."""

    def __init__(self):
        self.random, self.seconds, self.step = random.Random(1), 0, 0

    def clock(self):
        t = self.seconds
        return (f"2026-11-{1 + t // 86400 % 28:02d} {t // 3600 % 24:02d}:{t // 60 % 60:02d}:{t % 60:02d},"
                f"{self.random.randrange(1000):03d}")

    def train(self):
        self.step += 1
        if self.step % 50 == 0:
            return (f"{self.clock()} INFO trainer.py:171 step {self.step} memory allocated: {2.5 + self.step * 1e-6:.3f} GB, "
                    "reserved: 4.10 GB\n")
        return (f"{self.clock()} INFO trainer.py:160 step {self.step} loss {self.random.random() * 3:.4f} "
                f"lr {self.random.random() * 1e-3:.3e} grad_norm {self.random.random() * 9:.3f} tokens/s {self.random.randrange(10 ** 5)}\n")

    def bars(self):
        self.step = step = (self.step + 1) % 5000
        return (f"Epoch 3:  {step // 50}%|{'#' * (step // 250):20s}| {step}/5000 [{step // 600:02d}:{step // 10 % 60:02d}<08:20, "
                f"9.87it/s, loss={self.random.random():.3f}]\r" + ("\n" if step == 0 else ""))

    def http(self):
        number = self.random.randrange
        return (f'INFO:     10.0.{number(256)}.{number(256)}:{number(65536)} - "POST /v1/completions HTTP/1.1" 200 OK\n')

    def crash(self):
        number = self.random.randrange
        return (f"{self.clock()} INFO launcher.py:12 starting, attempt {self.seconds}\n"
                f"{self.clock()} INFO data.py:40 loaded {number(10 ** 6)} samples from /data/train\n"
                + CRASH % (number(20, 900), number(10), number(10, 99), number(10, 99)))


def main():
    kind, size, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    job, written = Job(), 0
    with open(out, "w", encoding="utf-8") as file:
        while written < size:
            job.seconds += 1
            line = getattr(job, kind)()
            file.write(line)
            written += len(line)


if __name__ == "__main__":
    main()
