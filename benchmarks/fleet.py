#!/usr/bin/env python3
"""What a fleet costs, and whether it says what a loop says: fleet.py LEAKLINE [FILES]; fleet.py LEAKLINE s3 [FILES]

FILES recordings (default 2,000), one in a hundred of them torn, are read by leakline fleet on local[2] and, one after the other, by a loop in one process
and by leakline report, a process each (a part of them). Prints the processor's seconds of whole processes, which another's work changes little,
and fails where the tables hold other rows than a loop makes. Needs the classes of fleet's tests: mvn -pl fleet -am test-compile.

s3: the same recordings (default 200) in a bucket and in a folder are read, s3a:// to s3a://. Needs moto_server (pip install 'moto[server]'), an S3 server of
its own; fails where answers differ in anything but the names of files, and prints how many requests the bucket got for a file."""
import collections, contextlib, json, os, pathlib, re, subprocess, sys, tempfile, time, urllib.request

HOME = pathlib.Path(__file__).resolve().parent.parent
PORT = 5199
URL = f"http://127.0.0.1:{PORT}"
CREDENTIALS = "AWS4-HMAC-SHA256 Credential=anybody/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
SETTINGS = {"endpoint": URL, "endpoint.region": "us-east-1", "path.style.access": "true", "access.key": "anybody", "secret.key": "any"}
QUESTIONS = "leaks", "rates", "hosts", "versions", "outliers", "unreadable"


@contextlib.contextmanager
def server(log):
    with open(log, "w") as out:
        process = subprocess.Popen(["moto_server", "-p", str(PORT)], stdout=out, stderr=out)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(URL + "/moto-api/")
                break
            time.sleep(0.3)
        yield
    finally:
        process.terminate()
        process.wait()


def put(path, content=b""):
    headers = {"Authorization": CREDENTIALS, "Content-Type": "application/octet-stream"}
    urllib.request.urlopen(urllib.request.Request(f"{URL}/{path}", content, headers, method="PUT")).read()


def fleet(leakline, *arguments, s3):
    command = [leakline, "fleet", *map(str, arguments), "--format", "json"]
    for name, value in SETTINGS.items() if s3 else ():
        command += ["--conf", f"spark.hadoop.fs.s3a.{name}={value}"]
    begin = time.perf_counter()
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if answer.returncode not in (0, 3):
        sys.exit(f"{command} ended with {answer.returncode}")
    return json.loads(answer.stdout), time.perf_counter() - begin


def neutral(answer, folder):
    """An answer without what differs between a folder and a bucket: where it is, and when files were put there."""
    text = json.dumps({**answer, "tables": ""}).replace(f"s3a://fleet/in", "IN").replace(str(folder), "IN")
    return re.sub(r'"(first|last)_seen(_us)?": \d+', "", text)


def recordings(folder, count, torn):
    """So many files, one in so many of them torn."""
    known = sorted(HOME.glob("testkit/scenarios/programs/recorded/*.pickle.gz")) + sorted(HOME.glob("examples/ranks/iteration_12/*.gz"))
    for i in range(count):
        content = known[i % len(known)].read_bytes()
        path = folder / f"job{i % 9}" / f"rank{i}.pickle.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[:len(content) // 2] if i % torn == 7 else content)
        yield path


def cpu(*command, allowed=(0, 3)):
    """The processor's seconds of a process and of those that it waited for; of what it prints, the last lines."""
    before = os.times()
    with tempfile.TemporaryFile() as out:
        if subprocess.run([str(word) for word in command], stdout=out, check=False).returncode not in allowed:
            sys.exit(f"{command[:3]} failed")
        out.seek(0)
        said = out.read().decode()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, said


def loop(*arguments):
    libraries = [HOME / "fleet/target" / part for part in ("test-classes", "classes", "lib/*", "spark/jars/*")]
    options = ["@" + str(HOME / "fleet/target/classes/jvm.options"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g"]
    java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin/java"
    return cpu(java, *options, "-cp", ":".join(map(str, libraries)), "dev.leakline.fleet.FleetLoop", *arguments, allowed=(0,))


def throughput(leakline, count):
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made) / "in"
        files = list(recordings(folder, count, 100))
        one = pathlib.Path(made) / "one"
        next(recordings(one, 1, 100))
        for name in "first", "start":  # the first run keeps classes for those after it
            start, _ = cpu(leakline, "fleet", one, "--master", "local[2]", "--out", pathlib.Path(made) / name)
        whole, _ = cpu(leakline, "fleet", folder, "--master", "local[2]", "--out", pathlib.Path(made) / "tables")
        looped, said = loop("reports", folder)
        some = files[::max(1, count // 40)]
        single = sum(cpu(leakline, "report", "--format", "json", file)[0] for file in some) / len(some)
        print(f"fleet: {whole:.1f} s of processors, of them {start:.1f} s for one file; {(whole - start) / count * 1e3:.1f} ms a file beside that")
        print(f"reports in one process: {looped:.1f} s ({said.strip()}), {looped / whole:.0%} of that a file in the fleet, {looped / (whole - start):.0%} without its start")
        print(f"leakline report: {single * 1e3:.0f} ms a file, {single * count / whole:.0%}")
        _, rows = loop("rows", folder, pathlib.Path(made) / "tables", pathlib.Path(made) / "looped")
        print(rows)


def main():
    if "s3" in sys.argv[2:3]:
        bucket(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 200)
    else:
        throughput(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000)


def bucket(leakline, count):
    with tempfile.TemporaryDirectory() as made, server(pathlib.Path(made) / "log"):
        folder = pathlib.Path(made) / "in"
        put("fleet")
        for path in recordings(folder, count, 50):
            put(f"fleet/in/{path.relative_to(folder)}", path.read_bytes())
        log = pathlib.Path(made) / "log"
        begin = log.stat().st_size
        _, seconds = fleet(leakline, "s3a://fleet/in", "--out", "s3a://fleet/tables", s3=True)
        requests = collections.Counter(re.findall(r'"(GET|HEAD|PUT|POST|DELETE) ', log.read_text()[begin:]))
        _, here = fleet(leakline, folder, "--out", pathlib.Path(made) / "tables", s3=False)
        reads = len(re.findall(r'"(?:GET|HEAD) /fleet/in/\S+\.gz', log.read_text()[begin:]))
        lists = len(re.findall(r'"GET /fleet\?\S*prefix=in', log.read_text()[begin:]))
        print(f"{count} files: {seconds:.1f} s from the bucket, {here:.1f} s from a folder; requests {dict(requests)}, of these {reads / count:.2f} a file to read"
              f" it and {lists} to list them")
        differing = []
        for question in QUESTIONS:
            bucket, _ = fleet(leakline, "--out", "s3a://fleet/tables", "--query", question, s3=True)
            disk, _ = fleet(leakline, "--out", pathlib.Path(made) / "tables", "--query", question, s3=False)
            if neutral(bucket, folder) != neutral(disk, folder):
                differing.append(question)
        print("answers that differ:", differing or "none")
        sys.exit(bool(differing))


if __name__ == "__main__":
    main()
