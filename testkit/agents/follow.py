#!/usr/bin/env python3
"""Mends leaking programs by nothing but what Leakline's brief answers say: a report, its patch where that is marked safe, the next command.

    follow.py --leakline CMD --python "COMMAND" [--rounds N] PROGRAM.py...

A patch marked review is never applied. Prints a line for each program: fixed, or why not, and a sum at the end. A program counts as mended where verify says
fixed and the program ends as it did. Each program is copied with the files beside it."""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import tempfile

ENDS = ("fixed", "same", "worse", "another", "undetermined")


def shell(command: str, folder: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=600)


class Agent:
    def __init__(self, leakline: str, folder: pathlib.Path):
        self.leakline = leakline
        self.folder = folder
        self.applied = 0

    def ask(self, command: str) -> dict:
        """The answer to a command as an answer names it, with the brief form asked for: the last line of what it prints."""
        words = shlex.split(command)
        assert words[0] == "leakline", command
        place = words.index("--") if "--" in words else len(words)
        words[place:place] = ["--format", "json" if words[1] == "detail" else "brief"]
        done = shell(" ".join([self.leakline, *map(shlex.quote, words[1:])]), self.folder)
        text = done.stdout if words[1] == "detail" else (done.stdout.strip().splitlines() or ["{}"])[-1]
        answer = json.loads(text)
        assert words[1] == "detail" or len(text.encode()) <= 1500, text
        if "schema" not in answer or answer["schema"] == "leakline.error/1":
            raise RuntimeError(f"{command}: {done.stderr[-300:]}")
        return answer

    def patch(self, files: str, brief: dict) -> str:
        """The first patch that is safe; one that found no room in the brief form is asked for."""
        for step in brief["steps"]:
            if step["patch_safety"] == "safe":
                if step["patch"]:
                    return step["patch"]
                rows = self.ask(f"leakline detail {files} {brief['finding']['id']}")["rows"]
                return next(row["text"] for row in rows if row["what"] == "patch, safe")
        return ""

    def mend(self, command: str, rounds: int) -> str:
        files = "before"
        shell(f"{self.leakline} run --quiet --keep before --report before.txt -- {command}", self.folder)
        brief = self.ask(f"leakline report {files}")
        for _ in range(rounds):
            if brief["verdict"] == "no_leak" or brief["finding"] is None:
                return f"no finding ({brief['verdict']})"
            patch = self.patch(files, brief)
            if not patch:
                marks = [step["patch_safety"] for step in brief["steps"] if step["patch_safety"]]
                return "left to a person: " + (f"a patch marked {marks[0]}" if marks else "advice without a patch")
            done = subprocess.run(["patch", "-p1", "--no-backup-if-mismatch"], cwd=self.folder, input=patch, capture_output=True, text=True)
            if done.returncode:
                return f"the patch does not apply: {done.stdout.strip()}"
            self.applied += 1
            change = self.ask(brief["next"])
            if change["outcome"] != "reduced":
                return change["outcome"]
            files = shlex.split(change["next"])[-1]
            brief = self.ask(f"leakline report {files}")
        return change["outcome"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leakline", required=True)
    parser.add_argument("--python", default="python3")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    mended = 0
    for program in given.programs:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            for file in program.parent.glob("*.py"):
                shutil.copy(file, folder)
            agent = Agent(given.leakline, folder)
            try:
                said = agent.mend(f"{given.python} {program.name}", given.rounds)
            except (RuntimeError, AssertionError, ValueError, subprocess.TimeoutExpired) as trouble:
                said = f"trouble: {trouble}"
            ends = shell(f"{given.python} {program.name}", folder).returncode == 0
            mended += said == "fixed" and ends
            print(f"{program.stem}: {said}{'' if ends else ', and the program fails'}", flush=True)
    print(f"mended {mended} of {len(given.programs)}")


main()
