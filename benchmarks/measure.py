"""Runs `leakline report` and Python's pickle.load by turns on the same files and prints a Markdown table.

run.sh builds what this needs and starts it. Wall time is that of the whole process, JVM or interpreter start included; the
memory is the most that the process had resident, as the kernel counts it (ru_maxrss, the counter that GNU time prints)."""
import argparse, datetime, json, os, platform, signal, statistics, subprocess, sys, tempfile, time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEAKLINE = str(HERE.parent / "leakline")
JAR = HERE / "target" / "leakline-benchmarks.jar"
LOAD = "import pickle,sys; pickle.load(open(sys.argv[1],\"rb\"))"
GIB, MIB = 1 << 30, 1 << 20
SMALL_HEAP = "-Xmx2g"  # what a file over 4 GiB has to be content with
DUMP_HEAP = "-Xmx1300m"  # what a dump of 10 M objects has to be content with, so that the whole process stays below 1.5 GB
LOADED_PER_BYTE = 7    # resident bytes of pickle.load for one byte of a snapshot; 6 where it was measured
START_UPS = 10


class Measured:
    """The runs of one command: seconds, those of processors, and peak resident bytes of each."""

    def __init__(self):
        self.seconds, self.processors, self.resident = [], [], []

    def add(self, command, heap=None):
        seconds, processors, resident = run(command, heap)
        self.seconds.append(seconds)
        self.processors.append(processors)
        self.resident.append(resident)

    def cells(self):
        return [spread(self.seconds), f"{max(self.resident) / MIB:.0f}"] if self.seconds else ["–", "–"]


def spread(values, form=".2f"):
    return " / ".join(f"{value:{form}}" for value in (min(values), statistics.median(values), max(values)))


def run(command, heap=None):
    """Runs a command to its end, which must be a good one; its output goes nowhere."""
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment(heap))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}: {errors.read().decode(errors='replace')}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def environment(heap):
    variables = {key: value for key, value in os.environ.items() if key != "LEAKLINE_JAVA_OPTS"}
    return variables | ({"LEAKLINE_JAVA_OPTS": heap} if heap else {})


def memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def cpu():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def jdk(java):
    lines = Path(java, "release").read_text().splitlines()
    release = dict(line.replace('"', "").split("=", 1) for line in lines if "=" in line)
    return f"{release.get('IMPLEMENTOR', 'JDK')} {release.get('JAVA_RUNTIME_VERSION', release.get('JAVA_VERSION', '?'))}"


def machine(java):
    return (f"{cpu()}, {os.cpu_count()} cores, {memory() / GIB:.1f} GiB, {platform.system()} {platform.release()}; JDK {jdk(java)}; "
            f"{platform.python_implementation()} {platform.python_version()}; {datetime.date.today()}")


def say(text):
    print(f"run.sh: {text}", file=sys.stderr, flush=True)


def make(java, size, folder):
    """Makes a snapshot; a size is what BigSnapshot takes: [EVENTS] or [--bytes, SIZE]."""
    path = folder / f"{size[-1]}.pickle"
    say(f"making a snapshot of {size[-1]} {'events' if len(size) == 1 else 'bytes'}")
    command = [f"{java}/bin/java", "-XX:+UseSerialGC", "-cp", str(JAR), "dev.leakline.benchmarks.BigSnapshot", *size, str(path)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    os.sync()  # so that nothing is written while times are taken
    return path


def examine(path, heap, is_generated):
    """Reads a file once, which also warms up, and answers its events; a generated one must be explained to the last byte."""
    command = [LEAKLINE, "report", "--format", "json", str(path)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment(heap), text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    devices = json.loads(done.stdout)["devices"]
    for device in devices if is_generated else []:
        wrong = {key: device["coverage"][key] for key in ("unknown_frees", "lost_frees", "live_without_block", "end_mismatch_bytes")}
        if any(wrong.values()):
            sys.exit(f"{path} was not understood: {wrong}")
    return sum(device["events"] for device in devices)


def measure(path, runs, is_generated):
    """The table's row of a file."""
    size = path.stat().st_size
    heap = SMALL_HEAP if size > 4 * GIB else None
    can_load = not heap and size * LOADED_PER_BYTE < memory()
    report, load = [LEAKLINE, "report", str(path)], [sys.executable, "-c", LOAD, str(path)]
    say(f"{path.name}: warming up")
    events = examine(path, heap, is_generated)
    if can_load:
        run(load)
    ours, theirs = Measured(), Measured()
    for number in range(runs):
        say(f"{path.name}: run {number + 1} of {runs}")
        ours.add(report, heap)
        if can_load:
            theirs.add(load)
    ratios = [f"{statistics.median(ours.seconds) / statistics.median(theirs.seconds):.3f}",
              f"{statistics.median(ours.processors) / statistics.median(theirs.processors):.3f}",
              f"{max(ours.resident) / max(theirs.resident):.3f}"] if can_load else ["–", "–", "–"]
    name = path.name + (f" ({SMALL_HEAP})" if heap else "")
    return [name, f"{events:,}", f"{size:,}", *ours.cells(), *theirs.cells(), *ratios]


def make_dump(java, objects, folder):
    """Makes a holder dump of so many objects."""
    path = folder / f"{objects}.holders"
    say(f"making a dump of {objects} objects")
    subprocess.run([f"{java}/bin/java", "-cp", str(JAR), "dev.leakline.benchmarks.BigHeap", objects, str(path)], check=True)
    os.sync()
    return path


def examine_dump(path):
    """Reads a dump once and answers its objects; the groups must explain every byte."""
    command = [LEAKLINE, "holders", "--format", "json", str(path)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment(DUMP_HEAP), text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    said = json.loads(done.stdout)
    if said["totals"]["bytes"] != said["dumps"][0]["storage_bytes"]:
        sys.exit(f"{path} was not understood: {said['totals']}")
    return said["dumps"][0]["objects"]


def measure_dump(path, runs):
    """The table's row of a holder dump."""
    say(f"{path.name}: warming up")
    objects = examine_dump(path)
    ours = Measured()
    for number in range(runs):
        say(f"{path.name}: run {number + 1} of {runs}")
        ours.add([LEAKLINE, "holders", str(path)], DUMP_HEAP)
    return [f"{path.name} ({DUMP_HEAP})", f"{objects:,}", f"{path.stat().st_size:,}", ours.cells()[0], spread(ours.processors), ours.cells()[1]]


def start_up():
    measured = Measured()
    for _ in range(START_UPS):
        measured.add([LEAKLINE, "--version"])
    return ["start-up: `leakline --version`", "–", "–", *measured.cells(), "–", "–", "–", "–", "–"]


def table(rows):
    print("| file | events | bytes | `leakline report`: s, min / median / max | peak MiB | `pickle.load`: s, min / median / max | peak MiB "
          "| time, of medians | of processors | memory |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def dump_table(rows):
    print("\n| dump | objects | bytes | `leakline holders`: s, min / median / max | of processors: s | peak MiB |")
    print("|---|--:|--:|--:|--:|--:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def options():
    parser = argparse.ArgumentParser(prog="run.sh", description="Measures `leakline report` against Python's pickle.load.")
    parser.add_argument("--events", action="append", default=[], metavar="N", help="make a file of N events; may be repeated")
    parser.add_argument("--bytes", action="append", default=[], metavar="SIZE", help="make a file of SIZE, such as 4.1G, and up to 9 MB more")
    parser.add_argument("--objects", action="append", default=[], metavar="N", help="make a holder dump of N objects; may be repeated")
    parser.add_argument("--file", action="append", default=[], type=Path, metavar="SNAPSHOT", help="measure a file of your own")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each command on each file (default: 5)")
    parser.add_argument("--dir", metavar="FOLDER", help="where to make files (default: the system's temporary folder)")
    chosen = parser.parse_args()
    if not (chosen.events or chosen.bytes or chosen.file or chosen.objects):
        chosen.events, chosen.bytes, chosen.objects = ["1000000", "10000000"], ["4.1G"], ["10000000"]
    if chosen.runs < 1:
        parser.error("--runs: expected 1 or more")
    for missing in (path for path in chosen.file if not path.is_file()):
        parser.error(f"--file {missing}: there is no such file")
    return chosen


def main():
    chosen, java = options(), os.environ["LEAKLINE_BENCHMARK_JDK"]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("run.sh: stopped"))  # removes what was made
    run([LEAKLINE, "--version"])
    rows = [start_up()]
    rows += [measure(path, chosen.runs, False) for path in chosen.file]
    sizes = [[events] for events in chosen.events] + [["--bytes", size] for size in chosen.bytes]
    with tempfile.TemporaryDirectory(prefix="leakline-", dir=chosen.dir) as folder:
        for size in sizes:
            path = make(java, size, Path(folder))
            rows.append(measure(path, chosen.runs, True))
            path.unlink()
        dumps = []
        for objects in chosen.objects:
            path = make_dump(java, objects, Path(folder))
            dumps.append(measure_dump(path, chosen.runs))
            path.unlink()
    print(f"{machine(java)}. {chosen.runs} runs of each, by turns, after a warm-up. Ratios: `leakline report` to `pickle.load`.\n")
    table(rows)
    if dumps:
        dump_table(dumps)


if __name__ == "__main__":
    main()
