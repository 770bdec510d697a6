"""The probe as a wheel: installed into an environment that has nothing else, it does nothing until it is asked to."""
import glob
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

from built import BY_MAVEN, leakline_probe

TARGET = os.environ.get("LEAKLINE_WHEEL") or os.path.normpath(os.path.join(BY_MAVEN, *[os.pardir] * 4))
WHEELS = glob.glob(os.path.join(TARGET, "leakline_probe-*-py3-none-any.whl"))
USED = """
import gc, json, os, signal, sys, threading
def hooks():
    return [list(gc.callbacks), list(sys.meta_path), sys.excepthook, signal.getsignal(signal.SIGUSR2), threading.active_count(), os.listdir(".")]
before = hooks()
import leakline_probe
seen = {"version": leakline_probe.VERSION, "untouched": hooks() == before, "torch": "torch" in sys.modules}
leakline_probe.step()
with leakline_probe.phase("before"), leakline_probe.profile("before"):
    pass
seen["quiet"] = hooks() == before
leakline_probe.start("out")
for _ in range(3):
    leakline_probe.step()
with leakline_probe.phase("validate"):
    leakline_probe.profile(lambda: None)()
seen["holders"] = leakline_probe.holders(object())
print(json.dumps(seen))
"""


@unittest.skipUnless(WHEELS, "no wheel: run `mvn -q compile -pl probe`")
class Wheel(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def run_python(self, *arguments):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LEAKLINE_") and key != "PYTHONPATH"}
        ran = subprocess.run(arguments, cwd=self.place, capture_output=True, text=True, env=environment)
        self.assertEqual((0, ""), (ran.returncode, ran.stderr), ran.stdout)
        return ran.stdout

    @unittest.skipIf(importlib.util.find_spec("pip") is None, "no pip")
    def test_it_installs_without_anything_else_and_can_be_used(self):
        python = os.path.join(self.place, "venv", "bin", "python")
        self.run_python(sys.executable, "-m", "venv", "--without-pip", "venv")
        self.run_python(sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "--python", python, "install", "--no-index", WHEELS[0])
        os.mkdir(os.path.join(self.place, "job"))
        self.place = os.path.join(self.place, "job")
        seen = json.loads(self.run_python(python, "-I", "-c", USED))
        self.assertEqual({"version": leakline_probe.VERSION, "untouched": True, "torch": False, "quiet": True, "holders": []}, seen)
        written, = glob.glob(os.path.join(self.place, "out", "*.counters.jsonl"))
        with open(written) as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual(["validate"], [row["begins"] for row in rows if "begins" in row])

    def test_it_is_the_file_that_ships(self):
        with zipfile.ZipFile(WHEELS[0]) as wheel, open(leakline_probe.__file__, "rb") as built:
            self.assertEqual(built.read(), wheel.read("leakline_probe.py"))
            self.assertIsNone(wheel.testzip())
            about = wheel.read(f"leakline_probe-{leakline_probe.VERSION}.dist-info/METADATA").decode()
            self.assertEqual({(1980, 1, 2, 0, 0, 0)}, {entry.date_time for entry in wheel.infolist()})
        self.assertIn(f"\nVersion: {leakline_probe.VERSION}\n", about)


if __name__ == "__main__":
    unittest.main()
