"""%leakline in a real IPython: it names who holds each tensor, and the command that it names frees the memory."""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from built import FOLDER, OPTIONAL

SHELL = """
import json, sys, torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell.instance(user_module=sys.modules["__main__"])
def run(cell):
    with capture_output() as said:
        shell.run_cell(cell, store_history=True)
    return said.stdout
def held():
    from leakline_probe.live import live_bytes
    return live_bytes("cpu")
run("%load_ext leakline_probe")
def ran(kernels):
    out = []
    for cells in kernels:
        told = [run(cell) for cell in cells]
        grown = held()
        for cure in told[-1].partition("free with: ")[2].partition("\\n")[0].split(", then "):
            run(cure)
        run("pass")
        out.append([told, grown, held()])
        run("import gc; gc.enable()")
        run("%reset -f")
        run("import torch; gc = __import__('gc'); gc.collect()")
        run("%load_ext leakline_probe")
    return out
"""
MAIN = 'import harness, json, sys, torch; print("RESULT" + json.dumps(harness.ran(json.loads(sys.argv[1]))))'
MIB = 1 << 20
NAMES = {
    "a variable": (["x = torch.ones(1 << 20)"], ["x"]),
    "a cell's result": (["torch.ones(1 << 20)"], ["Out["]),
    "a result that later ones follow": (["torch.ones(1 << 20)", "1", "2", "3", "4"], ["Out["]),
    "a variable that was shown": (["x = torch.ones(1 << 20)", "x"], ["x", "Out["]),
    "the last traceback": (["def f():\n    big = torch.ones(1 << 20)\n    raise ValueError('x')", "f()"], ["last traceback"]),
    "a module": (["import helper", "helper.CACHE['a'] = torch.ones(1 << 20)"], ["helper.CACHE"]),
    "a class": (["class Registry:\n    kept = []", "Registry.kept.append(torch.ones(1 << 20))"], ["class Registry: kept"]),
    "lru_cache": (["import functools\n@functools.lru_cache\ndef f(n): return torch.ones(1 << 20)", "f(1); None"], ["f"]),
    "a graph": (["w = torch.ones(1 << 20, requires_grad=True)\ny = (w * 2).exp()\ndel w"], ["y"]),
    "a cycle": (["import gc; gc.disable()\nclass Node: pass\nn = Node(); n.me = n; n.t = torch.ones(1 << 20)\ndel n"], ["no name"]),
    "two names": (["x = torch.ones(1 << 20)\ny = [x[:5]]"], ["x", "y"]),
}


@unittest.skipIf(importlib.util.find_spec("IPython") is None or importlib.util.find_spec("torch") is None, "no IPython or no torch")
class Notebook(unittest.TestCase):
    def run_cells(self, *kernels):
        """For each list of cells what each printed, and the bytes that tensors held after them, and after the command that the last one named."""
        with tempfile.TemporaryDirectory() as place:
            for name, content in (("helper.py", "CACHE = {}\n"), ("harness.py", SHELL)):
                with open(os.path.join(place, name), "w") as file:
                    file.write(content)
            ran = subprocess.run([sys.executable, "-c", MAIN, json.dumps(kernels)], cwd=place, capture_output=True, text=True,
                                 env=dict(os.environ, PYTHONPATH=os.pathsep.join([FOLDER, OPTIONAL, place]), IPYTHONDIR=place))
        self.assertEqual(0, ran.returncode, ran.stderr)
        return json.loads(ran.stdout.rpartition("RESULT")[2])

    def test_the_cure_that_is_named_frees_the_memory(self):
        ran = self.run_cells(*[cells + ["%leakline cpu"] for cells, _ in NAMES.values()])
        for (title, (_, names)), (told, held, left) in zip(NAMES.items(), ran):
            with self.subTest(title, said=told[-1]):
                self.assertGreaterEqual(held, 4 * MIB)
                row, = [line for line in told[-1].splitlines() if re.match(r" *(4|8)\.00 MiB", line)]
                for name in names:
                    self.assertIn(name, row)
                self.assertLess(left, MIB)

    def test_what_a_cell_left_and_without_anything_to_say(self):
        ran = self.run_cells(["old = torch.ones(3 << 18)", "%%leakline cpu\nnew = torch.ones(1 << 20)\ngone = torch.ones(1 << 21); del gone"],
                             ["%leakline cpu", "%leakline gpu", "%%leakline\n1 + 1"])
        told = ran[0][0][-1]
        self.assertIn("This cell left 4.00 MiB (CPU tensors):", told)
        self.assertRegex(told, r"4\.00 MiB  new  free with: del new")
        self.assertNotIn("old", told)
        said = ran[1][0]
        self.assertEqual("No tensor of this kernel holds memory (CPU tensors).\n", said[0])
        self.assertIn("usage: %leakline", said[1])
        self.assertIn("This cell left no new tensors.", said[2])


if __name__ == "__main__":
    unittest.main()
