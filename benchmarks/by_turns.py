#!/usr/bin/env python3
"""Runs commands by turns and says what each costs: by_turns.py RUNS NAME=COMMAND...

The cost is user and system time of the whole process, which stays true on a machine that does other work too: quartiles, and the ratio of medians
to that of the first command. Each command is one of the shell; begin it with exec."""
import os, statistics, subprocess, sys, time


def run(command, allowed=(0,)):
    """Seconds of processors, seconds, and peak resident MiB of a command, which must end with one of these exit codes."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        sys.exit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024


def main():
    runs, commands = int(sys.argv[1]), dict(argument.split("=", 1) for argument in sys.argv[2:])
    results = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            results[name].append(run(command))
    first = statistics.median(result[0] for result in next(iter(results.values())))
    print("| command | CPU s, quartiles | of the first | s, median | peak MiB |\n|---|--:|--:|--:|--:|")
    for name, result in results.items():
        cpu, seconds, resident = zip(*result)
        median = statistics.median(cpu)
        low, _, high = statistics.quantiles(cpu, n=4) if runs > 1 else (median, median, median)
        print(f"| {name} | {low:.2f} / {median:.2f} / {high:.2f} | {median / first:.3f} | {statistics.median(seconds):.2f} "
              f"| {max(resident):.0f} |")


if __name__ == "__main__":
    main()
