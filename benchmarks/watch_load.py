"""CPU and memory of leakline watch beside N processes at a sample a second: watch_load.py N SECONDS -- ./leakline"""
import os, subprocess, sys, time
n, seconds, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[4:]
jobs = [subprocess.Popen(["sleep", str(seconds + 600)]) for _ in range(n)]
watch = subprocess.Popen([*command, "watch", "--format", "jsonl", *[str(j.pid) for j in jobs]], stdout=subprocess.DEVNULL)
def ticks():
    f = open(f"/proc/{watch.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(f[11]) + int(f[12])) / os.sysconf("SC_CLK_TCK")
time.sleep(60)  # the compiler has done its work by then
a, t = ticks(), time.time()
time.sleep(seconds)
b, u = ticks(), time.time()
rss = [l for l in open(f"/proc/{watch.pid}/status") if l.startswith(("VmRSS", "VmHWM"))]
print(f"{n} processes: {100 * (b - a) / (u - t):.2f} % of a core over {u - t:.0f} s; {' '.join(' '.join(l.split()) for l in rss)}")
watch.kill(); [j.kill() for j in jobs]
