#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the core for 64-bit ARM and runs its tests of base, topology, training and experiment under
# emulation. It changes the system's packages, so run it in a temporary system:
# tools/every-debian.sh bookworm --also=tools/aarch64.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly TARGET=aarch64-linux-gnu PARTS="base topology training experiment"

dpkg --add-architecture arm64
apt-get update -q
apt-get install -q -y --no-install-recommends "g++-$TARGET" qemu-user-static cmake ninja-build pkg-config \
    nlohmann-json3-dev libeigen3-dev dataset-fashion-mnist
# Unpack the packages without configuring them: their scripts would run programs for ARM.
apt-get clean
apt-get install -q -y --no-install-recommends --download-only zlib1g-dev:arm64 libopenblas0-openmp:arm64 \
    lib{torch,boost,boost-graph,boost-math,sqlite3,sqlitecpp,zip,fftw3,expat1,gtest}-dev:arm64
dpkg --unpack --force-all /var/cache/apt/archives/{lib,ocl,zlib}*_arm64.deb
# Folder of BLAS and LAPACK, which the configuration scripts would otherwise select.
readonly CHOSEN=/usr/lib/$TARGET/openblas-openmp
export LD_LIBRARY_PATH=$CHOSEN
export PKG_CONFIG_LIBDIR=/usr/lib/$TARGET/pkgconfig:/usr/share/pkgconfig
cmake -S . -B build/aarch64 -G Ninja -DCMAKE_BUILD_TYPE=Release -DDPDL_WITH_NS3=OFF -DDPDL_WITH_CUDA=OFF \
    -DDPDL_WITH_BENCH=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER="$TARGET-g++" -DCMAKE_LIBRARY_ARCHITECTURE="$TARGET" \
    -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath-link,$CHOSEN" -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64-static
# shellcheck disable=SC2086
cmake --build build/aarch64 --target $(printf 'test-%s ' $PARTS)
ctest --test-dir build/aarch64 --output-on-failure --no-tests=error -R "^core-(${PARTS// /|})\$"
