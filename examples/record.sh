#!/bin/sh
# Records train_with_a_leak.pickle.gz anew, and the holder dump of the same run, on the GPU that PyTorch sees: ./record.sh
# PYTHON=... names a Python that has PyTorch. File names in the recording are made neutral: nothing in it tells of your machine.
set -eu
cd "$(dirname "$0")"
# The program records its memory itself; the probe adds who holds it, as it notices that it grows.
../leakline run --history 0 --keep recorded -- "${PYTHON:-python3}" train_with_a_leak.py
gzip -9 -n -c recorded/*.growth.holders > train_with_a_leak.holders.gz
"${PYTHON:-python3}" - <<'END'
import gzip, os, pickle, sysconfig

with open("train_with_a_leak.pickle", "rb") as file:
    snapshot = pickle.load(file)
folders = {os.getcwd(): "/app", sysconfig.get_paths()["purelib"]: "/venv/site-packages", sysconfig.get_paths()["stdlib"]: "/usr/lib/python3"}
holders = [event for trace in snapshot["device_traces"] for event in trace]
holders += [block for segment in snapshot["segments"] for block in segment["blocks"]] + snapshot["segments"]
done = set()  # frames are shared objects
for frame in (frame for holder in holders for frame in holder.get("frames", ())):
    if id(frame) not in done:
        done.add(id(frame))
        for folder, name in folders.items():
            if frame["filename"].startswith(folder):
                frame["filename"] = name + frame["filename"][len(folder):]
                break
with open("train_with_a_leak.pickle.gz", "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as file:
    pickle.dump(snapshot, file, protocol=4)
END
rm -r train_with_a_leak.pickle recorded
ls -l train_with_a_leak.*.gz
