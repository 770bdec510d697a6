#!/bin/sh
# Records train_too_large.pickle.gz anew, on a GPU of 8 GiB or what stands for one: ./record.sh. PYTHON=... names a Python that has PyTorch.
set -eu
cd "$(dirname "$0")"
"${PYTHON:-python3}" train_too_large.py || echo "ran out of memory, as it should"
"${PYTHON:-python3}" ../neutral.py train_too_large.pickle
ls -l train_too_large.pickle.gz
