#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The wheel: its tag and contents, its commands in a fresh virtual environment, and a trace beside the clone's.
# Exit code 77 if there is no python3-venv, or no package index.
# usage: wheel.sh PATH-OF-DPDL
set -uo pipefail

dpdl=$(realpath "$1") check=$(realpath "$(dirname "$0")")/wheel-check.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

skip()
{
    echo "skipped: $*"
    exit 77
}

failed()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

/usr/bin/python3 -m venv "$work/venv" >/dev/null 2>&1 || skip "no python3-venv"
wheel=$("$dpdl" wheel 2>"$work/log") || {
    grep -q "could not be installed" "$work/log" && skip "no package index"
    cat "$work/log"
    exit 1
}
[[ $wheel =~ /dpdl-[0-9.]+-py3-none-manylinux_2_[0-9]+_$(uname -m)\.whl$ ]] || failed "tag of $wheel"
"$work/venv/bin/pip" install -q "$wheel" 2>"$work/log" || skip "no package index: $(tail -n 1 "$work/log")"

# What stands in for a library that must not be in it has a name like that library's, and a few functions.
(cd "$work"/venv/lib/python3*/site-packages &&
    find . -regextype posix-extended -regex '.*/lib(mpi|icu|event|torch|c10|ssl)[^/]*[.]so[^/]*' -o \
        -regextype posix-extended -regex '.*/lib(crypto|gsl|gslcblas|xml2|ns3-config-store)[^/]*[.]so[^/]*' -size +64k) >"$work/wrong"
[[ ! -s $work/wrong ]] || failed "the wheel has $(tr '\n' ' ' <"$work/wrong")"
[[ -n $(find "$work"/venv/lib/python3*/site-packages/dpdl-*.dist-info -name 'libns3*.txt') ]] ||
    failed "the licence of ns-3 is not in the wheel"

mkdir "$work/run" && cd "$work/run" || exit 1
"$check" "$work/venv" . || failed "commands"
"$dpdl" run learn --dataset=blobs --model=softmax-regression --nodes=4 --rounds=5 --progress=none \
    --algorithm=const-d2p --trace=c.db >/dev/null || failed "a run of the clone"
"$work/venv/bin/python" -c 'import dpdl
wheel, clone = dpdl.load("a.db"), dpdl.load("c.db")
for view in ("accuracy_by_node", "release", "delivery", "snapshot", "guarantee_by_node"):
    assert getattr(wheel, view).equals(getattr(clone, view)), view' || failed "a run of the wheel is not the clone's"
[[ $failures -eq 0 ]] && echo "the wheel does what the clone does"
exit $((failures > 0))
