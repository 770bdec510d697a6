#!/usr/bin/env python3
"""A fleet in a bucket, as in a folder: fleet_s3.py LEAKLINE [FILES]

Needs moto_server (pip install 'moto[server]'), an S3 server of its own. Puts FILES recordings (default 200, one in fifty of them torn) into a bucket and into a
folder, has leakline fleet read either, s3a:// to s3a://, and fails where answers differ in anything but the names of files. Prints how many
requests the bucket got for a file."""
import collections, contextlib, json, pathlib, re, subprocess, sys, tempfile, time, urllib.request

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


def main():
    leakline, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    recordings = sorted(HOME.glob("testkit/scenarios/programs/recorded/*.pickle.gz")) + sorted(HOME.glob("examples/ranks/iteration_12/*.gz"))
    with tempfile.TemporaryDirectory() as made, server(pathlib.Path(made) / "log"):
        folder = pathlib.Path(made) / "in"
        put("fleet")
        for i in range(count):
            content = recordings[i % len(recordings)].read_bytes()
            path = folder / f"job{i % 9}" / f"rank{i}.pickle.gz"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content[:len(content) // 2] if i % 50 == 7 else content)
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
