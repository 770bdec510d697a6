#!/usr/bin/env python3
"""How fast a linter reads: lint_speed.py RUNS FOLDER... -- NAME=COMMAND...

Each command, one of the shell, is run by turns on all the folders. The cost is user and system time of the whole process (see by_turns.py); MB and
files a second of it count the Python files of the folders."""
import pathlib, statistics, sys

from by_turns import run


def main():
    split = sys.argv.index("--")
    runs, folders = int(sys.argv[1]), sys.argv[2:split]
    commands = dict(argument.split("=", 1) for argument in sys.argv[split + 1:])
    files = [file for folder in folders for file in pathlib.Path(folder).rglob("*.py")]
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    costs = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            costs[name].append(run(f"{command} {' '.join(folders)}", allowed=(0, 1))[0])
    print(f"{len(files)} files, {megabytes:.1f} MB\n\n| command | CPU s, min / median / max | MB a second of CPU | files |\n|---|--:|--:|--:|")
    for name, cost in costs.items():
        median = statistics.median(cost)
        print(f"| {name} | {min(cost):.2f} / {median:.2f} / {max(cost):.2f} | {megabytes / median:.2f} | {len(files) / median:.0f} |")


if __name__ == "__main__":
    main()
