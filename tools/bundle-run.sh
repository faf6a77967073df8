#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests and measures the CUDA device of this machine with the programs beside this file, which tools/bundle.sh packed.
# Prints one line for each step, the most important steps first, and ends within 9 minutes. Without a device it runs
# what the CPU can do in its place. Exit code 1 if a step failed.
# usage: run.sh [FOLDER OF RESULTS]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=$(mkdir -p "${1:-results}" && cd "${1:-results}" && pwd) || exit 2
torch=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))' 2>/dev/null)
LD_LIBRARY_PATH=$here/lib:$torch/lib$(printf ':%s' "${torch%/torch}"/nvidia/*/lib):/usr/local/cuda/lib64:$here/last
export LD_LIBRARY_PATH
readonly MOST=530
status=0

# step LIMIT NAME COMMAND...: its output goes to NAME.log. Prints its time, and its result or last line.
step()
{
    local limit=$1 name=$2 begin=$EPOCHREALTIME code=0
    shift 2
    if ((limit > MOST - SECONDS)); then
        limit=$((MOST - SECONDS))
    fi
    if ((limit <= 0)); then
        echo "$name: no time left" | tee -a "$results/steps.txt"
        return
    fi
    timeout "$limit" "$@" >"$results/$name.log" 2>&1 || code=$? status=1
    echo "$name: exit code $code, $(((${EPOCHREALTIME/./} - ${begin/./}) / 1000)) ms:" \
        "$(sed -n '/^result:/p;$p' "$results/$name.log" | head -n 1)" | tee -a "$results/steps.txt"
}

# learns NAME OPTIONS...: a run of dyn-d2p.
learns()
{
    local name=$1
    shift
    step 120 "$name" "${preload[@]}" "$here/bin/learn" --algorithm=dyn-d2p --dataDir="$here/data" --progress=none --overwrite \
        --trace="$results/$name.db" "$@"
}

preload=(env) sizes=(--nodes=20 --rounds=100 --samples=20000 --testSamples=2000) models=(cnn-s cnn-m)
{ cat "$here/commit"; date -u; nproc; nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader; } \
    >"$results/machine.txt" 2>&1
if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "no CUDA device: the CPU computes in its place, and nothing here measures a device" | tee "$results/steps.txt"
    preload=(env "LD_PRELOAD=$here/lib/libhost-device.so")
    sizes=(--nodes=5 --rounds=4 --samples=500 --testSamples=100) models=(mlp cnn-s)
fi
step 60 test-cuda "$here/bin/test-cuda" --gtest_brief=1
for model in "${models[@]}"; do
    for device in cuda cpu; do
        for every in 10 1000; do
            learns "$model-$device-$every" --model="$model" --device="$device" --evaluateEvery="$every" "${sizes[@]}"
        done
    done
done
if [[ -x $here/bin/device ]]; then
    step 60 test-training "$here/bin/test-training" --gtest_filter='Device*' --gtest_brief=1
    for model in cnn-s mlp cnn-m resnet-18; do
        step 60 "device-$model" "$here/bin/device" --nodes=20,200 --model="$model" --python=off --output="$results/device-$model.json"
    done
fi
if command -v ncu >/dev/null; then
    step 60 profile ncu --csv --page raw --metrics gpu__time_duration.sum,dram__bytes.sum --launch-skip 110 \
        --launch-count 110 "$here/bin/learn" --model=cnn-s --nodes=20 --rounds=20 --device=cuda --dataDir="$here/data" \
        --overwrite --trace="$results/profile.db"
fi
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck initcheck; do
        step 60 "$tool" compute-sanitizer --tool "$tool" "$here/bin/test-cuda"
    done
fi
exit "$status"
