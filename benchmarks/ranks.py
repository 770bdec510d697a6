#!/usr/bin/env python3
"""What a job of many ranks costs: ranks.py LEAKLINE [FOLDER] [--ranks 256] [--events 40000] [--summaries 1024]

Makes recordings of so many events from examples/ranks, each rank's over and over with all that is alive freed in between, moved to addresses and times of
its own; compares them; then merges summaries, in two orders and nested, which must give the same bytes. Seconds are of processors and by the clock."""
import argparse, gzip, json, os, pathlib, pickle, random, subprocess, sys, tempfile, time

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "examples" / "ranks" / "iteration_12"


def extended(snapshot, events):
    """The recording over and over, until it has so many events."""
    trace = max(snapshot["device_traces"], key=len)
    live = {}
    for event in trace:
        if event["action"] == "alloc":
            live[event["addr"]] = event
        elif event["action"] == "free_completed":
            live.pop(event["addr"], None)
    end = max(event["time_us"] for event in trace) + 1
    frees = [dict(e, action=a, time_us=end + i) for i, e in enumerate(live.values()) for a in ("free_requested", "free_completed")]
    once = trace + frees
    length = end + len(live) - trace[0]["time_us"] + 1
    blocks = [e for e in once if e["action"] in ("alloc", "free_requested", "free_completed")]  # segments stay, as the cache keeps them
    while len(once) < events:
        before = [*once]
        once = before + [dict(e, time_us=e["time_us"] + len(before) // len(blocks) * length) for e in blocks]
    return dict(snapshot, device_traces=[once[:len(once) - len(frees)] if each is trace else each for each in snapshot["device_traces"]])


def moved(snapshot, by):
    """A copy at other addresses."""
    def at(row, key):
        return dict(row, **{key: row[key] + by}) if row.get(key) else row
    segments = [dict(at(s, "address"), blocks=[at(b, "address") for b in s["blocks"]]) for s in snapshot["segments"]]
    traces = [[at(event, "addr") for event in trace] for trace in snapshot["device_traces"]]
    return dict(snapshot, segments=segments, device_traces=traces)


def run(*command):
    """What it prints; seconds of processors, by the clock, and resident MiB."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command[:3]} ended with {process.returncode}")
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("leakline")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    for name, default in ("ranks", 256), ("events", 40_000), ("summaries", 1024):
        parser.add_argument("--" + name, type=int, default=default)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or pathlib.Path(made)
        job, parts = folder / "job", folder / "summaries"
        parts.mkdir(parents=True)
        job.mkdir()
        samples = [extended(pickle.load(gzip.open(path)), given.events) for path in sorted(SAMPLE.glob("*.gz"))]
        for rank in range(given.ranks):
            sample = samples[0 if rank == 5 else 1 + rank % 3]
            (job / f"rank{rank}_memory_snapshot.pickle").write_bytes(pickle.dumps(moved(sample, rank << 32), protocol=4))
        size = sum(path.stat().st_size for path in job.iterdir())
        print(f"{given.ranks} ranks of {sum(map(len, samples[1]['device_traces']))} events, {size >> 20} MiB")
        whole, cpu, seconds, resident = run(given.leakline, "ranks", job, "--format", "json")
        print(f"compared: {cpu:.1f} s of processors, {seconds:.1f} s by the clock, {resident:.0f} MiB; odd: {[odd['rank'] for odd in json.loads(whole)['odd']]}, wanted: [5]")
        summary, *_ = run(given.leakline, "ranks", job / "rank5_memory_snapshot.pickle", "--format", "summary")
        print(f"summary of one: {len(summary)} bytes")
        for rank in range(given.summaries):
            (parts / f"{rank}.summary").write_bytes(summary.replace(b"rank5_", f"rank{rank}_".encode()))
        files = sorted(parts.iterdir())
        first, cpu, seconds, resident = run(given.leakline, "ranks", *files, "--format", "json")
        print(f"{len(files)} summaries merged and compared: {cpu:.1f} s, {seconds:.1f} s, {resident:.0f} MiB")
        random.Random(1).shuffle(files)
        halves = []
        for number, half in enumerate((files[:len(files) // 3], files[len(files) // 3 - 9:])):
            halves.append(folder / f"{number}.summary")
            halves[-1].write_bytes(run(given.leakline, "ranks", *half, "--format", "summary")[0])
        same = first == run(given.leakline, "ranks", *files, "--format", "json")[0] == run(given.leakline, "ranks", *halves[::-1], "--format", "json")[0]
        print("any order and nesting gives the same bytes:", same)
        sys.exit(not same)


if __name__ == "__main__":
    main()
