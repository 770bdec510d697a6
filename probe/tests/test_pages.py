"""The page of a run: what is asked of the program leakline, and what loggers and notebooks get of its answer."""
import importlib.util
import os
import stat
import subprocess
import sys
import tempfile
import unittest

from built import FOLDER, OPTIONAL

PROGRAM = """#!{python}
import json, sys
assert sys.argv[1:5] == ["report", "--format", "brief", "--html"], sys.argv
if "torn" in sys.argv[6]: sys.exit("it is cut off")
with open(sys.argv[5], "w") as file: file.write('<html lang="en">' + sys.argv[6])
print(json.dumps({{"verdict": "leak", "finding": {{"file": "/app/train.py", "line": 42, "bytes_per_step": 1048576}}}}))
sys.exit(1)
"""
JOB = """
import sys, types
logged = []
class Writer:
    def add_text(self, *what): logged.append(["tensorboard", *what])
class Run:
    summary = types.SimpleNamespace(update=lambda tags: logged.append(["wandb tags", tags]))
    def log(self, media, commit): logged.append(["wandb", media, commit])
sys.modules["mlflow"] = types.SimpleNamespace(active_run=lambda: 1, log_text=lambda *what: logged.append(["mlflow", *what]),
                                              set_tags=lambda tags: logged.append(["mlflow tags", tags]))
sys.modules["wandb"] = types.SimpleNamespace(run=Run(), Html=lambda text, inject: text)
import leakline_probe
from leakline_probe import pages
"""
TAGS = {"leakline.verdict": "leak", "leakline.line": "/app/train.py:42", "leakline.rate": 1048576}


class Pages(unittest.TestCase):
    def run_job(self, job, program=PROGRAM):
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "leakline")
            with open(path, "w") as file:
                file.write(program.format(python=sys.executable))
            os.chmod(path, stat.S_IRWXU)
            ran = subprocess.run([sys.executable, "-c", JOB + job], cwd=place, capture_output=True, text=True, timeout=600, env=dict(
                os.environ, PYTHONPATH=os.pathsep.join([FOLDER, OPTIONAL]), LEAKLINE=path, TMPDIR=place))
            self.assertEqual(["leakline"], os.listdir(place), "nothing is left")
        self.assertEqual(0, ran.returncode, ran.stderr)
        return ran.stdout

    def test_a_page_and_tags_go_to_the_runs_that_are_open(self):
        logged = eval(self.run_job("pages.log_page(Writer(), 's.pickle'); print(logged)"))
        html = '<html lang="en">s.pickle'
        self.assertEqual([["wandb", {"leakline": html}, False], ["wandb tags", TAGS], ["mlflow", html, "leakline.html"], ["mlflow tags", TAGS],
                          ["tensorboard", "leakline", "leakline.verdict: leak, leakline.line: /app/train.py:42, leakline.rate: 1048576"]], logged)

    def test_without_a_run_nothing_is_made(self):
        self.assertEqual("[] None\n", self.run_job("del sys.modules['mlflow'], sys.modules['wandb']\npages.log_page()\n"
                                                   "print(logged, leakline_probe.last_error)", "no program"))

    def test_what_fails_is_the_probes_and_not_the_jobs(self):
        self.assertEqual("[] True\n", self.run_job("pages.log_page(None, 'torn.pickle'); print(logged, 'it is cut off' in str(leakline_probe.last_error))"))

    def test_a_page_in_a_notebook_reaches_nothing_of_it(self):
        framed = self.run_job("print(pages.framed(pages.page('\"><script>').html))")
        self.assertIn('sandbox="allow-scripts"', framed)
        self.assertIn("srcdoc=\"<html lang=&quot;en&quot;>&quot;><script>\"", framed)

    @unittest.skipIf(importlib.util.find_spec("torch") is None or importlib.util.find_spec("IPython") is None, "no torch or no IPython")
    def test_the_magic_says_why_there_is_no_page(self):
        said = self.run_job("import torch\ntorch.cuda.is_available = lambda: False\nfrom IPython.core.interactiveshell import InteractiveShell\n"
                            "shell = InteractiveShell.instance()\nshell.run_cell('%load_ext leakline_probe')\nshell.run_cell('%leakline page')")
        self.assertIn("leakline: this process uses no GPU", said)


if __name__ == "__main__":
    unittest.main()
