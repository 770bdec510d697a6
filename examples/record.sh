#!/bin/sh
# Records train_with_a_leak.pickle.gz anew, and the holder dump of the same run, on the GPU that PyTorch sees: ./record.sh
# PYTHON=... names a Python that has PyTorch. File names in the recording are made neutral: nothing in it tells of your machine.
set -eu
cd "$(dirname "$0")"
# The program records its memory itself; the probe adds who holds it, as it notices that it grows.
../leakline run --history 0 --keep recorded -- "${PYTHON:-python3}" train_with_a_leak.py
gzip -9 -n -c recorded/*.growth.holders > train_with_a_leak.holders.gz
"${PYTHON:-python3}" neutral.py train_with_a_leak.pickle
rm -r recorded
ls -l train_with_a_leak.*.gz
