#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Everything that is to be tested and measured on a CUDA device, in one command: doc/cuda.md.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/front-door/common.sh
source "$ROOT/tools/front-door/common.sh"

readonly STEPS="build test bench agreement profile verdict"
steps=$STEPS
output=$ROOT/build/on-device.md
nodes=20,200,2000
models=mlp,cnn-s,cnn-m,resnet-18
python=python3
torch=
built=
dry=no
rehearse=no

usage()
{
    cat <<EOF
usage: tools/on-device.sh [--option=value ...]

Builds the preset cuda without ns-3 for the device of this machine, tests and measures it, and
writes one file of results. A step that fails is named there, and the others go on.

  --output=FILE    the results; default build/on-device.md
  --nodes=N,N      numbers of nodes; default $nodes
  --models=A,B     networks; default $models
  --torch=FOLDER   LibTorch with CUDA; default: the one in the Python, if there is one
  --python=PROGRAM a Python with torch, and with opacus and jax to compare with; default python3
  --build=FOLDER   was built before, as the first step does it: that step is left out
  --steps=A,B      these of $(tr ' ' ',' <<<"$STEPS") alone, in this order
  --dry-run        print what would be done
  --rehearse       do it in small on the processor, to test this script
EOF
}

# show COMMAND: as one could type it.
show()
{
    printf '%q ' "$@" | sed 's/ $//'
}

for option in "$@"; do
    value=${option#*=}
    case $option in
        --output=?*) output=$value ;;
        --nodes=?*) nodes=$value ;;
        --models=?*) models=$value ;;
        --torch=?*) torch=$value ;;
        --python=?*) python=$value ;;
        --build=?*) built=$value ;;
        --steps=?*) steps=${value//,/ } ;;
        --dry-run) dry=yes ;;
        --rehearse) rehearse=yes ;;
        --help) usage && exit ;;
        *) mistake "on-device: unknown option '$(excerpt "$option")'; --help lists them" ;;
    esac
done
[[ $nodes =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] ||
    mistake "on-device: option 'nodes': '$(excerpt "$nodes")' is not accepted; expected numbers with commas"
for step in $steps; do
    [[ " $STEPS " == *" $step "* ]] || mistake "on-device: option 'steps': '$(excerpt "$step")' is not accepted; expected some of $STEPS"
done
[[ -z $built || -x $built/test/test-cuda ]] ||
    mistake "on-device: option 'build': '$(excerpt "$built")' is not accepted; expected a folder with test/test-cuda"
[[ -z $torch || -e $torch/share/cmake/Torch/TorchConfig.cmake ]] ||
    mistake "on-device: option 'torch': '$(excerpt "$torch")' is not accepted; expected a folder with share/cmake/Torch"

# What the device is: fields of nvidia-smi, or nothing.
device_field()
{
    nvidia-smi --query-gpu="$1" --format=csv,noheader --id=0 2>/dev/null | head -n 1
}

# The folder of a LibTorch with CUDA within a Python; nothing if it has none.
torch_of_python()
{
    "$python" -c 'import os, torch
if torch.version.cuda: print(os.path.dirname(torch.__file__))' 2>/dev/null
}

if [[ $rehearse == yes ]]; then
    build=$ROOT/build/on-device-rehearsal
    name="the processor, as a rehearsal"
    architecture=$(sed -n 's/^set(DPDL_CUDA_ARCHITECTURES "\(.*\)" CACHE.*/\1/p' \
        "$ROOT/contrib/dpdl/core/cmake/DpdlCuda.cmake")
    nodes=20
    models=mlp
else
    build=$ROOT/build/on-device
    name=$(device_field name)
    architecture=$(device_field compute_cap | tr -d .)
    if [[ -z $name && $dry == no ]]; then
        mistake "on-device: no CUDA device: nvidia-smi finds none; --dry-run shows what would be done, --rehearse does it on the processor"
    fi
    [[ -n $torch ]] || torch=$(torch_of_python)
fi

[[ -z $built ]] || build=$(cd "$built" && pwd)
configure=(cmake -S "$ROOT" --preset cuda -B "$build" -DDPDL_WITH_NS3=OFF
    "-DDPDL_CUDA_ARCHITECTURES=${architecture:-80;90}")
[[ -z $torch ]] || configure+=("-DDPDL_TORCH_ROOT=$torch")
make=(cmake --build "$build" --target test-training test-cuda bench-device host-device)
bench=("$build/bench/device" "--nodes=$nodes" "--model=$models" "--output=$build/device.json")
if [[ $rehearse == yes ]]; then
    bench=(env "LD_PRELOAD=$build/test/libhost-device.so" "${bench[@]}" --quick --python=off)
else
    bench+=("--python=$python")
fi
# One step of each model is enough to see what takes the time.
slowest=("$build/bench/device" --nodes=20 --model=cnn-m --quick --python=off
    "--output=$build/profile.json")
profile=(nsys profile --force-overwrite=true -o "$build/profile" "${slowest[@]}")
summary=(nsys stats --report cuda_gpu_kern_sum "$build/profile.nsys-rep")

# Each step: what it does, as commands of one line each; `run` does them.
step_build()
{
    if [[ -n $built ]]; then
        echo "left out: $built was built before"
        return
    fi
    run "${configure[@]}" && run "${make[@]}"
}

step_test()
{
    local failed=0 few=() text
    [[ $rehearse == no ]] || few=('--gtest_filter=Device*')
    text=$(run "$build/test/test-cuda" --gtest_brief=1) || failed=1
    echo "$text"
    # What is skipped for want of a device has not passed.
    [[ $rehearse == yes || $text != *"needs a CUDA device"* ]] || failed=1
    run "$build/test/test-training" --gtest_brief=1 "${few[@]}" || failed=1
    return "$failed"
}

# Where ours cannot be built, the other libraries are measured all the same.
step_bench()
{
    local model
    if [[ $dry == yes || -x $build/bench/device ]]; then
        run "${bench[@]}"
        return
    fi
    echo "ours is not built; a step of one node by other libraries:"
    for model in ${models//,/ }; do
        echo "$model"
        run "$python" -B "$ROOT/bench/peers/step_peers.py" --device=cuda "--model=$model"
    done
    return 1
}

step_agreement()
{
    run "$python" -B "$ROOT/tools/device-verdict.py" agreement "$build/device.json"
}

step_profile()
{
    if ! command -v nsys >/dev/null && [[ $dry == no ]]; then
        echo "left out: nsys is not installed"
        return
    fi
    run "${profile[@]}" || return
    run "${summary[@]}" || return
    if ! command -v ncu >/dev/null && [[ $dry == no ]]; then
        echo "left out: ncu is not installed"
        return
    fi
    run ncu --kernel-name "regex:$(slowest_kernel)" --launch-skip 20 --launch-count 1 "${slowest[@]}"
}

# The name that ncu knows the kernel by which took most of the time.
slowest_kernel()
{
    "${summary[@]}" --format csv 2>/dev/null | grep -m 1 -oE '(CallBody|SumRow|[A-Za-z0-9_]*gemm[A-Za-z0-9_]*)' |
        head -n 1 || echo 'CallBody'
}

# What follows from the figures: which of the two device programs stays, and the threshold of
# --device=auto, which the build remembers.
step_verdict()
{
    local threshold status=0
    run "$python" -B "$ROOT/tools/device-verdict.py" size "$build/device.json" "$ROOT" || return
    threshold=$(run "$python" -B "$ROOT/tools/device-verdict.py" threshold "$build/device.json") || status=$?
    echo "$threshold"
    ((status == 0)) || return "$status"
    [[ $dry == no ]] || return 0
    threshold=${threshold##*$'\n'}
    [[ $rehearse == no && $threshold =~ ^[0-9] ]] || return 0
    run cmake -B "$build" "-DDPDL_DEVICE_THRESHOLD=$threshold"
    echo "for other builds on this machine: cmake -B build/default -DDPDL_DEVICE_THRESHOLD=$threshold"
}

# run COMMAND: does it, or shows it. What a build prints is kept, but not in the results.
run()
{
    if [[ $dry == yes ]]; then
        echo "  $(show "$@")"
        return
    fi
    if [[ $1 == cmake ]]; then
        "$@" >>"$build.log" 2>&1 && return
        tail -n 15 "$build.log"
        return 1
    fi
    "$@" 2>&1
}

head_of_results()
{
    echo "# On a device"
    echo
    echo "* device: ${name:-none}"
    echo "* compute capability: ${architecture:-unknown}; driver: $(device_field driver_version)"
    echo "* compiler: $(nvcc --version 2>/dev/null | grep -o 'release .*' || echo 'nvcc not in PATH')"
    echo "* LibTorch: ${torch:-the one that CMake finds}"
    echo "* commit: $(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo unknown)"
    echo "* date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
}

if [[ $dry == yes ]]; then
    for step in $steps; do
        echo "$step"
        "step_$step"
    done
    exit
fi

mkdir -p "$build" "$(dirname "$output")" 2>/dev/null
: 2>/dev/null >"$output" || mistake "on-device: option 'output': '$(excerpt "$output")' is not accepted; expected a file that can be written"
: >"$build.log"
head_of_results >>"$output"
failed=
for step in $steps; do
    say "on-device: $step"
    begin=$SECONDS
    text=$("step_$step")
    status=$?
    result="done"
    ((status == 0)) || { result=FAILED && failed+=" $step"; }
    printf '\n## %s: %s, %s s\n\n~~~\n%s\n~~~\n' "$step" "$result" "$((SECONDS - begin))" "$text" >>"$output"
done
say "on-device: wrote $output${failed:+; failed:$failed}"
[[ -z $failed ]]
