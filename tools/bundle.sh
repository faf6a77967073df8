#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copies the programs of a build that test and measure a CUDA device into a folder, with the libraries and images that
# they need, for a machine that has none of them; FOLDER/run.sh runs them there. `tools/on-device.py --bundle` calls it.
# usage: bundle.sh BUILD FOLDER
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) folder=$2
programs=("$build"/test/test-cuda "$build"/scenarios/learn)
libraries=("$build"/contrib/dpdl/core/libdpdl-core-cuda.so "$build"/test/libhost-device.so)
# These two run with the LibTorch of a Python with CUDA, and are left out if they were built with another.
others=("$build"/test/test-training "$build"/bench/device)
if [[ $(ldd "${others[0]}" 2>&1) == *libtorch_cuda* ]]; then
    programs+=("${others[@]}")
    libraries+=("$build"/contrib/dpdl/core/libdpdl-core-torch.so)
fi
# The other machine has CUDA, LibTorch, and the basic libraries of a system at least as new.
readonly THERE='^(ld-linux|lib(c|m|pthread|dl|rt|util|resolv|stdc\+\+|gcc_s|gomp)[.-])'
mkdir -p "$folder"/{bin,lib,last,data}
cp "${programs[@]}" "$folder/bin"
cp "${libraries[@]}" "$folder/lib"
ldd "${programs[@]}" "${libraries[@]}" | awk -v build="$build" '$3 ~ "^/(usr/)?lib" || index($3, build) == 1 { print $1, $3 }' |
    grep -vE "$THERE" | sort -u | while read -r name path; do
        cp -L "$path" "$folder/lib/$name"
    done
# LibTorch brings an OpenMP that has to come first.
cp -L "$(ldd "$folder/lib/libhost-device.so" | awk '/libgomp/ { print $3 }')" "$folder/last" || rmdir "$folder/last"
strip "$folder"/bin/* "$folder"/lib/*
# Fashion-MNIST, as many images as run.sh uses. An IDX file has the number of its items in bytes 4 to 7.
readonly IMAGES=/usr/share/datasets/fashion-mnist
first()
{
    local name=$1 count=$2 head=$3 item=$4
    zcat "$IMAGES/$name.gz" >"$folder/data/$name"
    {
        head -c 4 "$folder/data/$name"
        printf %b "$(printf '\\x%02x' 0 0 $((count >> 8)) $((count & 255)))"
        head -c $((head + count * item)) "$folder/data/$name" | tail -c +9
    } | gzip -9 >"$folder/data/$name.gz"
    rm "$folder/data/$name"
}
for part in train:20000 t10k:2000; do
    first "${part%:*}-images-idx3-ubyte" "${part#*:}" 16 784
    first "${part%:*}-labels-idx1-ubyte" "${part#*:}" 8 1
done
install -m 755 "$tools/bundle-run.sh" "$folder/run.sh"
git -C "$tools" describe --always --dirty >"$folder/commit"
