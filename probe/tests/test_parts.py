"""The probe's parts as they are read and checked: a package, typed, for all Pythons from 3.9 on."""
import ast
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

from built import FOLDER, PARTS, leakline_probe

OLDEST = (3, 9)


class Parts(unittest.TestCase):
    def run_python(self, *arguments):
        """Where the package of the parts is found, and not the built file."""
        ran = subprocess.run([sys.executable, *arguments], cwd=os.path.dirname(PARTS), capture_output=True, text=True,
                             env=dict(os.environ, PYTHONPATH=os.path.dirname(PARTS), PYTHONDONTWRITEBYTECODE="1"))
        self.assertEqual(0, ran.returncode, ran.stdout + ran.stderr)
        return ran.stdout

    def test_the_package_offers_what_the_file_offers(self):
        offered = self.run_python("-c", "import leakline_probe; print(*leakline_probe.__all__, leakline_probe.dump.__module__)")
        self.assertEqual([*leakline_probe.__all__, "leakline_probe.dumping"], offered.split())
        self.assertEqual([], [name for name in leakline_probe.__all__ if not hasattr(leakline_probe, name)])

    def test_the_oldest_python_can_read_it(self):
        with open(os.path.join(FOLDER, "leakline_probe.py"), encoding="utf-8") as file:
            tree = ast.parse(file.read(), feature_version=OLDEST)
        self.assertGreater(len(tree.body), 300)

    def test_the_page_for_reviewers_names_all_parts_and_hooks(self):
        with open(os.path.join(os.path.dirname(PARTS), "SECURITY.md"), encoding="utf-8") as file:
            named = set(re.findall(r"[A-Za-z_]+", file.read()))
        parts = {os.path.splitext(entry.name)[0] for entry in os.scandir(PARTS) if entry.name.endswith(".py")} - {"__init__"}
        self.assertEqual(set(), parts.union(leakline_probe.HOOKS) - named)

    @unittest.skipIf(importlib.util.find_spec("mypy") is None, "no mypy")
    def test_types(self):
        with tempfile.TemporaryDirectory() as cache:
            self.run_python("-m", "mypy", "--strict", "--cache-dir", cache, "-p", "leakline_probe")


if __name__ == "__main__":
    unittest.main()
