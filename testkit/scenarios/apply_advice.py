#!/usr/bin/env python3
"""Runs each leaking program of programs/ as it is and with its correction, and prints by how much memory grows before and after.

    python apply_advice.py [NAME ...]
    python apply_advice.py --printed LEAKLINE [NAME ...]   with the patch that LEAKLINE report --source prints first, of programs whose truth says "patched"

Each is run for as many steps as its truth says and for twice as many; growth is what is live more when the longer run writes its snapshot, pinned
memory of the host included. Cycles are measured with the collector off: what a run leaves to it grows, what needs none does not. Needs what
record_programs.py needs. Exits 0 only if every program grows and no corrected one does."""
import ast
import json
import pathlib
import subprocess
import sys
import tempfile

from record_programs import RECORDED, all_names, corrected, prepare, run, source, truth_of, unmarked

# What may be left of the growth after a correction that works: what is bounded by number is not always full of pieces of one size.
REST = 0.1


def main() -> int:
    leakline = sys.argv[2] if sys.argv[1:2] == ["--printed"] else ""
    names = [pathlib.Path(name).stem for name in sys.argv[3 if leakline else 1:]] or all_names()
    names = [name for name in names if (truth_of(name).get("patched") if leakline else corrected(source(name)) != unmarked(source(name)))]
    prepare(names)
    print(f"{'program':34} {'steps':>9} {'growth before':>14} {'after':>12}")
    return 0 if all([applied(name, leakline) for name in names]) else 1


def applied(name: str, leakline: str) -> bool:
    truth = truth_of(name)
    steps = truth["steps"]
    collect = truth["verdict"] != "cycle"
    before, after = (grown(name, text, steps, collect) for text in (unmarked(source(name)), patched(name, leakline) if leakline else corrected(source(name))))
    works = before > 0 and after <= REST * before
    print(f"{name:34} {steps:>4}-{2 * steps:<4} {before:>14,} {after:>12,} {'' if works else 'STILL GROWS' if before > 0 else 'DOES NOT GROW'}", flush=True)
    return works


def patched(name: str, leakline: str) -> str:
    """The program with the first advice's patch, as git applies it."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{name}.py"
        file.write_text(unmarked(source(name)))
        printed = subprocess.run([leakline, "report", "--format", "json", "--source", folder, RECORDED / f"{name}.pickle.gz"], capture_output=True)
        patch = json.loads(printed.stdout)["findings"][0]["advice"][0]["patch"]
        subprocess.run(["git", "-C", folder, "apply", "-"], input=patch.encode(), check=True)
        ast.parse(file.read_text())
        return file.read_text()


def grown(name: str, text: str, steps: int, collect: bool) -> int:
    short, long = (live(run(name, text, steps=count, collect=collect)) for count in (steps, 2 * steps))
    return long - short


def live(snapshot: dict) -> int:
    segments = snapshot["segments"] + snapshot.get("host_segments", [])
    return sum(block["size"] for segment in segments for block in segment["blocks"] if block["state"].startswith("active"))


if __name__ == "__main__":
    sys.exit(main())
