#!/usr/bin/env python3
"""Holds what `leakline whatif` foresees against what PyTorch's allocator really does, for jobs that run out of memory.

    benchmarks/whatif_runs.py FOLDER --leakline ./leakline -- nullgpu --gpus 1 --memory {memory} -- python

The command behind `--` starts a Python that has torch on a GPU of {memory}, of its own for each {name}. Each job of short_of_memory.py is recorded twice, where it runs out and where
it has room for all; both recordings are replayed under each setting; each setting is then run for real. What was run is kept in FOLDER, and not run again.

A promise is broken where a request that a replay meets, real PyTorch refuses, or where a replay says that a job runs through and it does not. What is
reserved is compared as far as both went: until the request that failed in the recording, or in either run.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
CONTEXT = 512  # MiB of the device that the stand-in's process takes
ROOM = 200 * 1024
SETTINGS = [
    "", "expandable_segments:True", "max_split_size_mb:64", "max_split_size_mb:128", "max_split_size_mb:512", "roundup_power2_divisions:4",
    "roundup_power2_divisions:16", "expandable_segments:True,roundup_power2_divisions:8", "max_split_size_mb:256,roundup_power2_divisions:8",
    "large_segment_size_mb:64"]
MEMORY = {  # MiB for each job: too little with the default settings
    "varied_lengths": 3584, "growing_batches": 5632, "large_and_small": 680, "streams": 780, "kept_between": 780, "cache_of_keys": 3500,
    "sizes_of_pictures": 1560, "evaluation": 23000, "resumed": 2816, "plain_shortage": 4200, "kept_graphs": 2200, "experts": 1400}


def run(command: list[str], job: str, memory: int, folder: Path, recording: str, settings: list[str]) -> None:
    """Runs a job for real under each setting, unless that was done."""
    if not (folder / f"{recording}.{len(settings) - 1}.pickle").exists():
        filled = [part.replace("{memory}", f"{memory + CONTEXT}M").replace("{name}", recording) for part in command]
        done = subprocess.run([*filled, str(HERE / "short_of_memory.py"), job, str(folder), recording, *settings], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{job}: {done.stderr[-2000:]}")


def walk(path: Path) -> tuple[list[int], int]:
    """What was reserved at most when each request was met, and the number of the first that was not, -1 where all were."""
    with open(path, "rb") as file:
        events = pickle.load(file)["device_traces"][0]
    sign = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}
    reserved = most = 0
    met: list[int] = []
    for event in events:
        reserved += sign.get(event["action"], 0) * event["size"]
        most = max(most, reserved)
        if event["action"] == "alloc":
            met.append(most)
        elif event["action"] == "oom":
            return met + [most], len(met)
    return met, -1


def replayed(leakline: str, path: Path, memory: int, kind: str) -> dict:
    """The recording under each setting; where it shows the limit itself, nobody says it."""
    command = [leakline, "whatif", "--format", "json", *(part for each in SETTINGS for part in ("--conf", each))]
    command += [] if kind == "short" else ["--memory", f"{memory}MiB"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} {path}: {done.stderr}")
    return json.loads(done.stdout)["devices"][0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leakline", default="./leakline")
    parser.add_argument("--jobs", default=",".join(MEMORY))
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    jobs = options.jobs.split(",")
    options.folder.mkdir(parents=True, exist_ok=True)

    wanted = [(job, MEMORY[job], f"{job}.short", SETTINGS) for job in jobs] + [(job, ROOM, f"{job}.room", SETTINGS[:1]) for job in jobs]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda each: run(command, each[0], each[1], options.folder, each[2], each[3]), wanted))
    score(options.leakline, jobs, options.folder)


@dataclass
class Sums:
    """Of all runs."""

    runs: int = 0
    kept: int = 0  # what was foreseen to be met was met
    broken: int = 0
    overcautious: int = 0  # refused by the replay, and met
    near: int = 0  # what is reserved at the peak, within a hundredth
    silent: int = 0  # the agreement is too low for advice

    def __str__(self) -> str:
        return (f"{self.runs} runs: {self.kept} kept, {self.broken} broken, {self.overcautious} refused that were met; reserved within 1 %: {self.near}"
                f"; without advice, as the model does not fit the recording: {self.silent}")


def score(leakline: str, jobs: list[str], folder: Path) -> None:
    """Prints what each job was advised, each run that went otherwise than foreseen, and the sums."""
    sums = {"short": Sums(), "room": Sums()}
    for job in jobs:
        for kind in sums:
            score_recording(leakline, folder, job, kind, sums[kind])
    for kind, each in sums.items():
        print(f"recorded {'where it runs out' if kind == 'short' else 'with room for all'}: {each}")


def score_recording(leakline: str, folder: Path, job: str, kind: str, sums: Sums) -> None:
    recording = folder / f"{job}.{kind}.0.pickle"
    device = replayed(leakline, recording, MEMORY[job], kind)
    wanted, failed = walk(recording)
    requests = len(wanted)
    reliable = device["credibility"]["share"]
    chosen = device["recommendation"] and device["recommendation"]["settings"]
    print(f"{job} ({kind}, {requests:,} requests, {'fails' if failed >= 0 else 'runs through'}, agreement {reliable:.3f}): "
          f"recommended {chosen}; {device['reason']}")
    trials = {each["settings"]: each for each in [device["recorded"], *device["others"]]}
    for number, settings in enumerate(SETTINGS):
        met, refused = walk(folder / f"{job}.short.{number}.pickle")
        trial = trials[canonical(settings, trials)]
        fits, really = trial["failure"] is None, refused < 0 or refused >= requests
        most = met[min(requests, len(met)) - 1]
        off = trial["peak_reserved_bytes"] / most - 1
        sums.runs += 1
        sums.silent += reliable < 0.95
        sums.kept += fits and really
        sums.broken += fits and not really
        sums.overcautious += really and not fits
        sums.near += abs(off) <= 0.01
        if fits != really or abs(off) > 0.01 or settings == chosen:
            print(f"    {settings or '(defaults)':58} foreseen {'met' if fits else 'refused':8} was {'met' if really else f'refused at {refused:,}':18} "
                  f"reserved {trial['peak_reserved_bytes'] / MIB:8.0f} MiB, was {most / MIB:8.0f} ({off:+.1%})"
                  f"{', and the job ran to its end' if refused < 0 else ''}{'  <- recommended' if settings == chosen else ''}")


def canonical(settings: str, trials: dict) -> str:
    return settings if settings in trials else next(each for each in trials if sorted(each.split(",")) == sorted(settings.split(",")))


if __name__ == "__main__":
    main()
