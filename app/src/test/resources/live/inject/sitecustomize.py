"""A stand-in for what runs when a job starts: at its end, writes what it was told."""
import atexit
import os
import shutil


def _end(out=os.environ["LEAKLINE_OUT"]):
    told = [os.environ.get("LEAKLINE_" + name, "-") for name in ("AT", "HISTORY", "TARGET")]
    with open("%s/stub-%d.holders" % (out, os.getpid()), "w") as file:
        file.write(" ".join(told))
    snapshot = os.environ.get("STUB_SNAPSHOT")
    if snapshot:
        shutil.copyfile(snapshot, "%s/stub-%d.pickle" % (out, os.getpid()))


atexit.register(_end)
