"""The probe of Leakline: says, from inside a PyTorch process, who keeps every GPU tensor alive.

Standard library only, Python 3.9 to 3.14, torch 1.13 to 2.14. Nothing here imports torch: it is looked up in sys.modules.

    import leakline_probe
    leakline_probe.holders(tensor)              who keeps it alive, in lines
    leakline_probe.dump("job.holders")          one holder dump, now
    leakline_probe.start("out", "exit,oom")     outputs at the exit and at the first out-of-memory error
    leakline_probe.step(); with leakline_probe.phase("validate"): ...
    @leakline_probe.profile; with leakline_probe.profile("validate"): ...

or without a change to the job, with the folder inject/ on PYTHONPATH (see inject/sitecustomize.py) and
    LEAKLINE_OUT=folder      where outputs go: NAME-PID.pickle, NAME-PID.holders, NAME-PID.counters.jsonl, NAME-PID.host.jsonl, NAME-PID.memory.jsonl,
                             NAME-PID.ready
    LEAKLINE_AT=exit,oom,growth   when: exit, oom, growth (a holder dump alone, see growth.py), interval:SECONDS, step:N, signal (SIGUSR2)
    LEAKLINE_MAX_PAUSE=500   milliseconds that a dump or a snapshot of what grows may take; 0: as long as it needs
    LEAKLINE_HISTORY=200000  entries of memory history, 0 switches it off;   LEAKLINE_STACKS=python|all
    LEAKLINE_TARGET=cuda     or cpu: which tensors are looked for
    LEAKLINE_WITHOUT=loaders,collector   hooks that are not set: collector, cuda, errors, forks, loaders, optimizers, regions,
                             timer, torch
    LEAKLINE_NAME=train      first part of the names;   LEAKLINE_HASH_KEYS=1: dict keys are written as hashes

SECURITY.md says what this does to a process, and what is in the files.
"""
from __future__ import annotations

# The parts, in the order in which they are read and built: each imports from those above it only.
from . import (words, classes, frames, errors, texts, torch_facts, kinds, pause, process, files, smaps, forks, host, allocator, history, counters, functions, profiles,
               tally, columns, state, heap, roots, near, autograd, targets, closure, references, tensors, descriptions, nodes, labels, edges, dumping, asking,
               growth, forecast, shortage, plan, youth, visitor, crowds, blocks, sums, owners, piles, symbols, natives, tries, looks, loops, spelling, garbage, collector, timer, watches, signals, pools, arming, optional)
from .arming import arm, start
from .asking import holders
from .counters import phase
from .dumping import dump
from .errors import last_error
from .history import record_history, snapshot
from .plan import step, write
from .profiles import profile
from .words import VERSION

__all__ = ["VERSION", "arm", "dump", "holders", "last_error", "phase", "profile", "record_history", "snapshot", "start", "step", "write"]
