"""Finds the built probe for the tests and imports it: from the folder that LEAKLINE_PROBE names, else from where Maven puts it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = os.path.join(os.path.dirname(HERE), "leakline_probe")
BY_MAVEN = os.path.join(os.path.dirname(HERE), "target", "classes", "dev", "leakline", "probe")
FOLDER = os.path.abspath(os.environ.get("LEAKLINE_PROBE") or BY_MAVEN)
FOR_EVER = 1e9  # seconds
OPTIONAL = os.path.join(os.path.dirname(HERE), "optional")
INJECT = os.path.join(FOLDER, "inject")


def _check():
    """Tests of an old build would say nothing about the parts."""
    built = os.path.join(FOLDER, "leakline_probe.py")
    if not os.path.exists(built):
        sys.exit(f"{built} is not there: run `mvn -q compile -pl probe`, or name the folder of a built probe in LEAKLINE_PROBE")
    if FOLDER == BY_MAVEN and any(os.path.getmtime(entry.path) > os.path.getmtime(built) for entry in os.scandir(PARTS) if entry.name.endswith(".py")):
        sys.exit(f"{built} is older than a part of it: run `mvn -q compile -pl probe`")


_check()
sys.path[:0] = [FOLDER, OPTIONAL, HERE]
import leakline_probe  # noqa: E402

# A machine that others use takes longer for the same work, also by the time of its CPU. So what a test finds must not depend on how long the probe
# may look; tests of these limits set them.
leakline_probe.SAMPLES = tuple((number, FOR_EVER) for number, _ in leakline_probe.SAMPLES)
leakline_probe.GRAPH_SECONDS = leakline_probe.FROZEN_SECONDS = leakline_probe.LONGEST_LOOK = leakline_probe.METER_CREDIT = FOR_EVER
