#!/usr/bin/env python3
"""Runs each leaking program of programs/ as it is and with its correction, and prints by how much memory grows before and after.

    python apply_advice.py [NAME ...]

Each is run for as many steps as its truth says and for twice as many; growth is what is live more when the longer run writes its snapshot, pinned
memory of the host included. Cycles are measured with the collector off: what a run leaves to it grows, what needs none does not. Needs what
record_programs.py needs. Exits 0 only if every program grows and no corrected one does."""
import pathlib
import sys

from record_programs import all_names, corrected, prepare, run, source, truth_of, unmarked

# What may be left of the growth after a correction that works: what is bounded by number is not always full of pieces of one size.
REST = 0.1


def main() -> int:
    names = [pathlib.Path(name).stem for name in sys.argv[1:]] or all_names()
    names = [name for name in names if corrected(source(name)) != unmarked(source(name))]
    prepare(names)
    print(f"{'program':34} {'steps':>9} {'growth before':>14} {'after':>12}")
    return 0 if all([applied(name) for name in names]) else 1


def applied(name: str) -> bool:
    truth = truth_of(name)
    steps = truth["steps"]
    collect = truth["verdict"] != "cycle"
    before, after = (grown(name, text, steps, collect) for text in (unmarked(source(name)), corrected(source(name))))
    works = before > 0 and after <= REST * before
    print(f"{name:34} {steps:>4}-{2 * steps:<4} {before:>14,} {after:>12,} {'' if works else 'STILL GROWS' if before > 0 else 'DOES NOT GROW'}", flush=True)
    return works


def grown(name: str, text: str, steps: int, collect: bool) -> int:
    short, long = (live(run(name, text, steps=count, collect=collect)) for count in (steps, 2 * steps))
    return long - short


def live(snapshot: dict) -> int:
    segments = snapshot["segments"] + snapshot.get("host_segments", [])
    return sum(block["size"] for segment in segments for block in segment["blocks"] if block["state"].startswith("active"))


if __name__ == "__main__":
    sys.exit(main())
