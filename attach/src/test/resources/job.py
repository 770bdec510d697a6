"""A job that knows nothing of Leakline: job.py MODE ARGUMENT. It lets anybody trace it, where the system asks for that (Yama)."""
import ctypes
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time

try:
    ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
except (OSError, AttributeError):
    pass
mode, argument = sys.argv[1:]
signal.alarm(1800)  # whoever started it, and should end it, may be gone


def compute(is_over):
    turns, total, checksum, kept = 0, 0.0, hashlib.sha256(), []
    while not is_over(turns):
        turns += 1
        row = [turn * 1.0000001 + total / 1e9 for turn in range(97)]
        total += sum(row) / 7.0
        checksum.update(("%r" % total).encode())
        kept.append({"turn": turns, "bytes": bytearray(turns % 4999)})
        if len(kept) > 211:
            kept = kept[101:]
    print(turns, checksum.hexdigest(), total, len(kept), flush=True)


if mode == "train":
    import torch

    weights = torch.ones(1000, device="cuda", requires_grad=True)
print("ready", os.getpid(), flush=True)
if mode == "until":
    compute(lambda turns: turns % 64 == 0 and os.path.exists(argument))
elif mode == "turns":
    compute(lambda turns: turns == int(argument))
elif mode == "sleep":
    begin = time.monotonic()
    time.sleep(float(argument))
    print("slept", time.monotonic() - begin >= float(argument), flush=True)
elif mode == "lock":
    lock = threading.Lock()
    lock.acquire()

    def release():
        while not os.path.exists(argument):
            time.sleep(0.02)
        lock.release()

    threading.Thread(target=release).start()
    print("locked", lock.acquire(timeout=600), flush=True)
elif mode == "held":
    # The main thread waits for a lock; another keeps Python's own, in C, until the file ARGUMENT is there.
    lock = threading.Lock()
    lock.acquire()

    def switches():
        with open("/proc/%d/task/%d/status" % (os.getpid(), os.getpid())) as status:
            return [line for line in status if line.startswith("voluntary")]

    def hold():
        before = None
        while switches() != before:
            before = switches()
            time.sleep(0.2)
        print("held", flush=True)
        ctypes.PyDLL(None).system(("while [ ! -e '%s' ]; do sleep 0.02; done" % argument).encode())
        lock.release()

    threading.Thread(target=hold).start()
    lock.acquire()
    compute(lambda turns: turns % 64 == 0 and os.path.exists(argument + ".stop"))
elif mode == "drip":
    # The main thread reads in C, byte by byte, until the file ARGUMENT is there.
    drip = "while [ ! -e '%s' ]; do echo; sleep 0.02; done" % argument
    print("read", len(subprocess.Popen(drip, shell=True, stdout=subprocess.PIPE).stdout.read()) > 0, flush=True)
elif mode == "train":
    losses, end = [], time.monotonic() + 300  # whoever should stop it may have failed
    while not os.path.exists(argument) and time.monotonic() < end:
        loss = (weights * torch.rand(1000, device="cuda")).sum()
        loss.backward()
        losses.append(loss)
        time.sleep(0.005)
    print("recording" if torch._C._cuda_isHistoryEnabled() else "not recording", flush=True)
elif mode == "exit":
    time.sleep(float(argument))
    os._exit(0)
