"""Packs recordings of PyTorch whose file names tell nothing of the machine: FILE.pickle becomes FILE.pickle.gz.

    python neutral.py FILE.pickle...        with the Python that recorded them, in the folder of the program
"""
import gzip, os, pickle, sys, sysconfig

folders = {os.getcwd(): "/app", sysconfig.get_paths()["purelib"]: "/venv/site-packages", sysconfig.get_paths()["stdlib"]: "/usr/lib/python3"}
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        snapshot = pickle.load(file)
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
    with open(f"{path}.gz", "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as file:
        pickle.dump(snapshot, file, protocol=4)
    os.remove(path)
