#!/bin/sh
# Records iteration_12/*.pickle.gz anew, on the GPUs that PyTorch sees: ./record.sh
# PYTHON=... names a Python that has PyTorch. File names in the recordings are made neutral: nothing in them tells of your machine.
set -eu
cd "$(dirname "$0")"
export MASTER_ADDR=127.0.0.1 MASTER_PORT=29511 WORLD_SIZE=4
for rank in 0 1 2 3; do
    RANK=$rank LOCAL_RANK=$rank "${PYTHON:-python3}" train.py &
done
wait
"${PYTHON:-python3}" ../neutral.py iteration_12/*.pickle
ls -l iteration_12
