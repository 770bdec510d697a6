#!/usr/bin/env bash
# Installs the packages of dist/target/packages where there is no Java, uses them as a stranger would, and removes them:
#   dist/check.sh [PYTHON]
# Needs root and debootstrap for the .deb and .rpm (in a Debian with neither Java nor Python) and the container; else only wheels and tar.gz are tried.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=$root/dist/target/packages
python=${1:-python3}
work=$(mktemp -d)
mounted=
cleanup() {
    for place in $mounted; do umount "$place" || true; done
    rm -rf "$work"
}
trap cleanup EXIT

# Runs a command; prints what it was, its seconds, and those of the processor, which another's work does not change.
timed() {
    local name=$1 TIMEFORMAT='%R s (%U + %S CPU)'
    shift
    { time "$@" >"$work/said" 2>&1; } 2>"$work/took" || { cat "$work/said" && echo "FAILED: $*" && exit 1; }
    printf '%-30s %s\n' "$(cat "$work/took")" "$name"
}

expect() { grep -q "$1" "$work/said" || { cat "$work/said" && echo "FAILED: said nothing of $1" && exit 1; }; }

# Watches this script, and asks for its metrics.
serve() {
    local port server
    port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$@" watch $$ --listen "127.0.0.1:$port" >"$work/served" 2>&1 &
    server=$!
    timed 'metrics (HTTP server)' "$python" -c '
import sys, time, urllib.request
for attempt in range(100):
    try:
        sys.exit(print(urllib.request.urlopen("http://127.0.0.1:%s/metrics" % sys.argv[1]).read().decode()))
    except OSError:
        time.sleep(0.1)
sys.exit("no answer")' "$port"
    kill "$server"
    wait "$server" || true
    expect '^# EOF'
}

# Everything that needs a part of Java or a native library. The rest of the arguments starts leakline; /x is the checkout's examples.
use() {
    local files=$1
    shift
    timed 'first start (--version)' "$@" --version
    expect 'leakline '
    timed 'second start' "$@" --version
    timed 'report of the sample' "$@" report "$files/train_with_a_leak.pickle.gz" "$files/train_with_a_leak.holders.gz"
    expect 'train_with_a_leak.py:42'
    timed 'explain a log' "$@" explain "$files/oom.log"
    expect 'GPU'
    timed 'a zstd file' "$@" report "$files/sample.zst"
    expect 'train_with_a_leak.py:42'
    timed 'lint' "$@" lint "$files/train_with_a_leak.py"
    timed 'mcp, for agents' "$@" mcp <<<'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
    expect '^{"jsonrpc":"2.0","id":1,"result":.*"serverInfo"'
    timed 'watch a recording' "$@" watch --replay "$files/samples.jsonl"
    serve "$@"
    "$@" ps >"$work/said" 2>&1 || expect 'NVIDIA driver'
    "$@" fleet "$files" --out "$files/tables" >"$work/said" 2>&1 || expect 'checkout'
}

mkdir "$work/x"
cp "$root"/examples/*.gz "$root"/examples/*.log "$work/x"
printf 'import torch\n\n\ndef double(x):\n    return x * 2\n' >"$work/x/train_with_a_leak.py"
gzip -dc "$root/examples/train_with_a_leak.pickle.gz" >"$work/x/sample.pickle"
if command -v zstd >/dev/null; then zstd -q "$work/x/sample.pickle" -o "$work/x/sample.zst"; else cp "$work/x/sample.pickle" "$work/x/sample.zst"; fi
for i in $(seq 0 30); do
    echo "{\"t\":$((1700000000 + i)),\"pid\":1,\"device\":0,\"used\":$((i * 1000000))}"
done >"$work/x/samples.jsonl"

echo '== SHA256SUMS'
(cd "$packages" && sha256sum --quiet -c SHA256SUMS && ls -l)

echo '== wheels, in a bare virtual environment with an empty environment'
"$python" -m venv "$work/venv"
timed 'pip install leakline' "$work/venv/bin/pip" install -q --no-index --no-deps "$packages"/leakline-*.whl
timed 'pip install leakline-probe' "$work/venv/bin/pip" install -q --no-index --no-deps "$packages"/leakline_probe-*.whl
use "$work/x" env -i "$work/venv/bin/leakline"
timed 'python -m leakline' "$work/venv/bin/python" -m leakline --version
timed 'run (signals, probe)' "$work/venv/bin/leakline" run -- "$work/venv/bin/python" -c 'print("hello")' && expect hello
"$work/venv/bin/python" -c 'import leakline_probe'
du -sh "$work/venv/lib"/python*/site-packages/leakline
timed 'pip uninstall' "$work/venv/bin/pip" uninstall -q -y leakline leakline-probe
left=$(find "$work/venv" -iname '*leakline*' | head -3)
[ -z "$left" ] || { echo "FAILED: left behind: $left"; exit 1; }

echo '== tar.gz, through a symbolic link'
tar -xzf "$packages"/leakline-*-linux-*.tar.gz -C "$work"
ln -s "$work"/leakline-*-linux-*/leakline "$work/leakline"
use "$work/x" env -i PATH=/usr/bin:/bin "$work/leakline"

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo 'not root, or no debootstrap: .deb and container are not tried'
    exit 0
fi

# What is there beside what was there before; what the tools that install write down for themselves does not count.
left_behind() {
    find "$debian" -xdev -path "$debian/x" -prune -o -print | sort | comm -13 "$work/before" - >"$work/left"
    left=$(grep -vE '/var/lib/(dpkg|rpm)/|/var/log/|/tmp/' "$work/left" || true)
    [ -z "$left" ] || { echo "FAILED: left behind: $left"; exit 1; }
}

echo '== .deb, in a Debian without Java and Python'
debian=$work/debian
debootstrap --variant=minbase --include=rpm bookworm "$debian" >"$work/log" 2>&1 || { tail -n 3 "$work/log" && exit 1; }
mount -t proc proc "$debian/proc" && mounted="$debian/proc"
cp -R "$work/x" "$debian/x" && cp "$packages"/leakline_*.deb "$debian/leakline.deb" && cp "$packages"/leakline-*.rpm "$debian/leakline.rpm"
find "$debian" -xdev -path "$debian/x" -prune -o -print | sort >"$work/before"
if chroot "$debian" sh -c 'command -v java || command -v python3'; then echo 'FAILED: there is a Java or a Python' && exit 1; fi
timed 'dpkg -i' chroot "$debian" dpkg -i /leakline.deb
use /x chroot "$debian" leakline
nobody="chroot --userspec=65534:65534 $debian"
timed 'a user who may write nothing' $nobody leakline --version
timed 'lint for that user' $nobody leakline lint /x/train_with_a_leak.py
timed 'dpkg -r' chroot "$debian" dpkg -r leakline
chroot "$debian" dpkg -P leakline >/dev/null 2>&1 || true
left_behind

echo '== .rpm, in the same Debian, whose rpm does not know of its libc'
timed 'rpm --checksig' chroot "$debian" rpm --checksig --verbose /leakline.rpm
timed 'rpm -i' chroot "$debian" rpm -i --nodeps /leakline.rpm
timed 'rpm --verify' chroot "$debian" rpm --verify --nodeps leakline
use /x chroot "$debian" leakline
timed 'rpm -e' chroot "$debian" rpm -e leakline
left_behind

echo '== container, unpacked by hand and entered by chroot'
mkdir "$work/oci" "$work/inside" && tar -xf "$packages"/leakline-*-oci-*.tar -C "$work/oci"
"$python" - "$work/oci" >"$work/entry" <<'P'
import json, sys
home = sys.argv[1]
def blob(digest): return home + "/blobs/" + digest.replace(":", "/")
manifest = json.load(open(blob(json.load(open(home + "/index.json"))["manifests"][0]["digest"])))
print(blob(manifest["layers"][0]["digest"]))
config = json.load(open(blob(manifest["config"]["digest"])))["config"]
print(" ".join(config["Env"]))
print("\n".join(config["Entrypoint"]))
P
{ read -r layer && read -r -a environment && mapfile -t entry; } <"$work/entry"
tar -xzf "$layer" -C "$work/inside" && mkdir "$work/inside/proc" && mount -t proc proc "$work/inside/proc" && mounted="$mounted $work/inside/proc"
cp -R "$work/x" "$work/inside/x"
mkdir "$work/inside/dev" # without random numbers Java makes its own for ten seconds
mknod "$work/inside/dev/null" c 1 3 && mknod "$work/inside/dev/urandom" c 1 9 && mknod "$work/inside/dev/random" c 1 8
inside=(env -i "${environment[@]}" "$(command -v chroot)" "$work/inside" "${entry[@]}")
use /x "${inside[@]}"
cp "$work/x/train_with_a_leak.pickle.gz" "$work/inside/x/größe.gz"
timed 'a name beyond ASCII' "${inside[@]}" report /x/größe.gz
echo 'all packages work'
