"""The mark of the pytest plugin: it finds the tests that leak and no others, and names line and holder, in workers of xdist, too."""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

from built import FOLDER, OPTIONAL

LEAKS = {"list", "graph", "key", "hook", "exception", "cache_without_limit", "graph_of_fixture"}
TESTS = '''
import collections, functools, pytest, torch
KEPT, LOSSES, BY_KEY = [], [], {}
RING, LAZY = collections.deque(maxlen=6), {}
mark = pytest.mark.leakline(leaks="1 MB", warmups=2)
def mib(n=2): return torch.ones(n << 18)
class Registry: hooks = []
class Node:
    def __init__(self): self.me, self.t = self, mib()
@functools.lru_cache(maxsize=None)
def unbounded(n): return mib()
@functools.lru_cache(maxsize=4)
def bounded(n): return mib()
@pytest.fixture(scope="session")
def counter(): return iter(range(10**6))
@pytest.fixture(scope="session")
def model(): return torch.nn.Linear(512, 512)
@mark
def test_list(): KEPT.append(torch.ones(2 << 18))  # the line
@mark
def test_graph():
    w = torch.nn.Parameter(mib(1))
    LOSSES.append((w * 2 * w).sum())
@mark
def test_key(): BY_KEY[len(BY_KEY)] = mib()
@mark
def test_hook():
    layer = torch.nn.Linear(1024, 1024)
    Registry.hooks.append(lambda: layer)
@mark
def test_exception():
    big = mib()
    try: raise ValueError("x")
    except ValueError as error: KEPT.append(error)
@mark
def test_cache_without_limit(counter): unbounded(next(counter))
@mark
def test_temporary(): mib(8).sum()
@mark
def test_cache_with_limit(counter): bounded(next(counter))
@mark
def test_session_fixture(model): model(torch.ones(64, 512)).sum().backward()
@mark
def test_graph_of_fixture(model): KEPT.append(model(torch.ones(1024, 512)))
@mark
def test_cycle(): Node()
@mark
def test_lazy(): LAZY.setdefault("w", mib(16))
@mark
def test_replaced(): Registry.last = mib()
@mark
def test_ring(): RING.append(mib())
@pytest.mark.leakline(peak="4 MiB")
def test_peak_fits(): mib(3)
@pytest.mark.leakline(peak="4 MiB")
def test_peak(): return mib(8).sum() and None
@pytest.mark.leakline(leaks="1 apple")
def test_wrong_mark(): pass
def test_unmarked(): KEPT.append(mib())
'''


@unittest.skipIf(importlib.util.find_spec("pytest") is None, "no pytest")
class Plugin(unittest.TestCase):
    def pytest(self, content, *arguments):
        with tempfile.TemporaryDirectory() as place:
            with open(os.path.join(place, "test_them.py"), "w") as file:
                file.write(content)
            environment = {key: value for key, value in os.environ.items() if not key.startswith(("LEAKLINE_", "PYTEST"))}
            return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "leakline_pytest", *arguments], cwd=place, text=True,
                                  capture_output=True, timeout=600, env=dict(environment, PYTHONPATH=os.pathsep.join([FOLDER, OPTIONAL]), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")).stdout

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "no torch")
    def test_the_leaks_are_found_and_nothing_else(self):
        parallel = ["-p", "xdist.plugin", "-n", "2"] if importlib.util.find_spec("xdist") else []
        said = self.pytest(TESTS, "--leakline", *parallel)
        failed = set(re.findall(r"FAILED test_them.py::test_(\w+)", said)) | set(re.findall(r"ERROR test_them.py::test_(\w+)", said))
        self.assertEqual(LEAKS | {"peak", "wrong_mark"}, failed, said)
        self.assertIn("this test leaks 2.00 MiB of CPU tensor memory per run (limit 1 MB)", said)
        self.assertRegex(said, r"2.00 MiB per run allocated at test_them.py:\d+ in test_list: .*# the line\n    held by module test_them: KEPT\[\d+\]")
        self.assertRegex(said, r"held by class test_them.Registry: hooks\[\d+\] closure layer._parameters\['weight'\]")
        self.assertNotRegex(said, r"MiB per run allocated at a line that was not recorded")  # the weights of the fixture, which the new graph leads to
        self.assertIn("CPU tensors were counted, because this test allocated nothing on a GPU", said)
        self.assertRegex(said, r"this test allocates 8.00 MiB of CPU tensor memory at its peak \(limit 4 MiB\)\n  8.00 MiB allocated at test_them.py:\d+ in mib")
        self.assertIn("expected a size such as '1 MB' or '24 MiB', found '1 apple'", said)
        self.assertRegex(said, r"- +2.00 MiB  CPU     test_them.py::test_unmarked")

    def test_nothing_is_imported_that_no_test_asks_for(self):
        said = self.pytest("import sys, pytest\ndef test_plain(): assert not {'torch', 'leakline_probe'} & set(sys.modules)\n"
                           "@pytest.mark.leakline()\ndef test_marked(): assert 'torch' not in sys.modules\n")
        self.assertIn("2 passed", said)


if __name__ == "__main__":
    unittest.main()
