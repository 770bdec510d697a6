"""The probe's parts as they are read and checked: a package, typed, for all Pythons from 3.9 on."""
import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from built import FOLDER, OPTIONAL, PARTS, leakline_probe

OLDEST = (3, 9)
# What the optional modules are for is as large as it is: to check PyTorch, Lightning and IPython takes ten times as long as all of ours.
ONLY_OURS = "[mypy]\nfollow_imports = skip\n[mypy-leakline_probe.*]\nfollow_imports = normal\n"
FROM_PROBE = re.compile(r"^from leakline_probe import ([^(\n]+|\([^)]*\))\n", re.M)


def homes_of_names():
    """The part that defines each name: in the one file that ships they share a namespace, in the package they do not."""
    homes = {}
    for entry in os.scandir(PARTS):
        part, kind = os.path.splitext(entry.name)
        if kind == ".py" and part != "__init__":
            with open(entry.path, encoding="utf-8") as file:
                for node in ast.parse(file.read()).body:
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
                    for target in targets:
                        homes.update({name.id: part for name in ast.walk(target) if isinstance(name, ast.Name)})
                    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                        homes[node.name] = part
    return homes


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

    @unittest.skipIf(importlib.util.find_spec("mypy") is None, "no mypy")
    def test_types_of_the_optional_modules(self):
        with tempfile.TemporaryDirectory() as place:
            together = os.path.join(place, "leakline_probe")
            shutil.copytree(PARTS, together, ignore=shutil.ignore_patterns("__pycache__"))
            modules = [entry.path for entry in os.scandir(os.path.join(OPTIONAL, "leakline_probe")) if entry.name.endswith(".py")]
            self.assertEqual(set(), set(map(os.path.basename, modules)) & set(os.listdir(together)), "names of parts")
            homes = homes_of_names()
            for module in modules:
                with open(module, encoding="utf-8") as file, open(os.path.join(together, os.path.basename(module)), "w", encoding="utf-8") as copy:
                    copy.write(FROM_PROBE.sub(lambda found: "".join(f"from .{homes[name]} import {name}\n" for name in re.findall(r"\w+", found[1])),
                                              file.read()))
            config = os.path.join(place, "mypy.ini")
            with open(config, "w", encoding="utf-8") as file:
                file.write(ONLY_OURS)
            ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", config, "--cache-dir", os.path.join(place, "cache"),
                                  *[os.path.join(together, os.path.basename(module)) for module in modules]], cwd=place, capture_output=True, text=True)
        self.assertEqual(0, ran.returncode, ran.stdout + ran.stderr)

    def test_the_oldest_python_can_read_the_optional_modules(self):
        for folder in (OPTIONAL, os.path.join(OPTIONAL, "leakline_probe")):
            for entry in os.scandir(folder):
                if entry.name.endswith(".py"):
                    with open(entry.path, encoding="utf-8") as file:
                        ast.parse(file.read(), feature_version=OLDEST)


if __name__ == "__main__":
    unittest.main()
