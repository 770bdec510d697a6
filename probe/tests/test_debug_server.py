"""The page and the dumps that MemoryHandler adds to PyTorch's own debug server, of a job of two ranks."""
import glob
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest

from built import FOLDER, OPTIONAL

JOB = """
import os, sys, time, urllib.request
import torch, torch.distributed as dist
from torch.distributed.debug import start_debug_server, stop_debug_server
from leakline_probe.debug_server import MemoryHandler

def page(port):
    for _ in range(300):
        try:
            said = urllib.request.urlopen(f"http://localhost:{port}/leakline", timeout=10).read().decode()
            if said.count(" MiB") >= 6 and os.listdir("dumps"): return said
        except OSError:
            pass
        time.sleep(0.2)

if __name__ == "__main__":
    rank, port = int(os.environ["RANK"]), int(sys.argv[1])
    store = dist.TCPStore("localhost", int(os.environ["MASTER_PORT"]), 2, rank == 0)
    kept = torch.empty((rank + 1) << 20, dtype=torch.uint8, device=f"cuda:{rank}")
    start_debug_server(port=port, start_method="spawn", handlers=[MemoryHandler()], dump_dir="dumps", dump_interval=1,
                       enabled_dumps={"leakline"})
    if rank == 0:
        print(page(port))
        store.set("done", "yes")
        stop_debug_server()
    else:
        store.wait(["done"])
    sys.stdout.flush()
    os._exit(0)
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return one.getsockname()[1]


NEEDED = "torch", "jinja2", "tabulate", "requests"


@unittest.skipUnless(all([importlib.util.find_spec(name) for name in NEEDED]), "needs " + ", ".join(NEEDED))
class DebugServer(unittest.TestCase):
    def test_each_rank_is_on_the_page_and_in_the_dumps(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "job.py"), "w", encoding="utf-8") as file:
                file.write(JOB)
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([FOLDER, OPTIONAL]), "WORLD_SIZE": "2", "MASTER_ADDR": "localhost",
                           "MASTER_PORT": str(free_port())}
            port = str(free_port())
            ranks = [subprocess.Popen([sys.executable, "job.py", port], cwd=folder, env={**environment, "RANK": str(rank)}, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for rank in range(2)]
            said = [one.communicate(timeout=600)[0] for one in ranks]
            self.assertEqual([0, 0], [one.returncode for one in ranks], said)
            self.assertIn("1.00 MiB", said[0])
            self.assertIn("2.00 MiB", said[0])
            lines = []
            for dump in glob.glob(os.path.join(folder, "dumps", "leakline_*.txt")):
                with open(dump, encoding="utf-8") as file:
                    lines += [json.loads(line) for line in file]
            self.assertEqual({(0, 1 << 20), (1, 2 << 20)}, {(line["rank"], line["allocated"]) for line in lines})
