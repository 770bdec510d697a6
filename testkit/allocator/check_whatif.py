"""Holds what `leakline whatif` predicts against what PyTorch does: runs each recorded program again under other settings.

    python check_whatif.py LEAKLINE [PROGRAM ...]     programs by number (default: those that do not run out, but for 0)

For each program of recorded/ it asks Leakline to replay the recording under some settings, runs the same program under each of them, and
compares the most that was reserved. It leaves what PyTorch reserved in recorded/whatif.json, for the tests. Needs what record.py needs.

Program 0 is left out by default: it empties the cache where the recording's had nothing to give back, and such a call leaves no trace. Under
settings where it would have given something back, the predictions are a tenth too high. A recording cannot say better.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CONFS = ["expandable_segments:True", "max_split_size_mb:128", "roundup_power2_divisions:8", ""]


def predict(leakline, recording):
    command = [leakline, "whatif", "--format", "json", str(recording)]
    for conf in CONFS:
        command += ["--conf", conf]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["devices"][0]
    return {outcome["settings"]: outcome for outcome in answer["others"]}, answer


def run(seed, conf, folder):
    out = pathlib.Path(folder) / "again"
    subprocess.run([sys.executable, HERE / "record.py", str(seed), out, "--conf", conf], capture_output=True, check=True)
    return json.loads(out.with_suffix(".json").read_text())["stats"]


def main():
    leakline, programs = sys.argv[1], sys.argv[2:] or [str(number) for number in range(1, 19) if number % 5 != 4]
    worst = 0
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for number in programs:
            recording = HERE / "recorded" / f"program_{number}.pickle.gz"
            about = json.loads((HERE / "recorded" / f"program_{number}.json").read_text())
            predictions, answer = predict(leakline, recording)
            recommended = answer["recommendation"]
            for conf in CONFS:
                predicted = predictions[conf]["peak_reserved_bytes"]
                stats = run(number, conf, folder)
                real = stats["reserved_bytes.all.peak"]
                error = predicted / real - 1
                mark = "" if predictions[conf]["failure"] is None and not stats.get("num_ooms") else "  runs out"
                if not mark:
                    worst = max(worst, abs(error))
                    measured.append({"program": int(number), "settings": conf, "peak_reserved_bytes": real})
                print(f"{number:>3} {about['program']:8} {conf or '(defaults)':30} predicted {predicted >> 20:6} MiB"
                      f"  real {real >> 20:6} MiB  {error:+.2%}{mark}"
                      f"{'  recommended' if recommended and recommended['settings'] == conf else ''}", flush=True)
    (HERE / "recorded" / "whatif.json").write_text(json.dumps(measured, indent=1) + "\n")
    print(f"largest error of those that ran through: {worst:.2%}")


if __name__ == "__main__":
    main()
