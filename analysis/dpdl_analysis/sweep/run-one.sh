#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes one run of a sweep: into a folder of its own first, so that what is in `ended` is whole.
# usage: run-one.sh WORK SESSION HASH names|leaves PROGRAM ARGUMENTS...
# `names`: the program takes --trace=FILE; `leaves`: it leaves one trace in its working directory.
# In WORK/ended: HASH.db, then HASH with exit code and microseconds; of a failed run also HASH.err.
set -u
work=$1 session=$2 hash=$3 kind=$4
shift 4
part=$work/parts/$session/$hash
# Shared by all runs as long as they live; where the file system knows no locks the cluster's queue
# tells as much.
exec 9<>"$work/running" && flock --shared 9
# A task that the cluster starts again goes on behind what it has done.
[[ ! -e $work/ended/$hash ]] || exit 0
[[ ! -e $part ]] || rm -rf "$part"
mkdir -p "$part" || exit 1
begin=${EPOCHREALTIME/[.,]/}
code=0
tied=(setpriv --pdeathsig KILL sh "${BASH_SOURCE[0]%/*}/tied.sh")
if [[ $kind == names ]]; then
    "${tied[@]}" $$ "$@" --trace="$part/trace.db" 2>"$part/err" >/dev/null </dev/null ||
        code=$?
else
    (cd "$part" && exec "${tied[@]}" $$ "$@") 2>"$part/err" >/dev/null </dev/null ||
        code=$?
fi
spent=$((${EPOCHREALTIME/[.,]/} - begin))
# Interrupted from outside: not ended, to be made again.
[[ $code -ne 130 && $code -ne 143 ]] || exit "$code"
traces=("$part"/*.db)
if [[ $code -eq 0 && ${#traces[@]} -eq 1 && -e ${traces[0]} ]]; then
    mv -f "${traces[0]}" "$work/ended/$hash.db" || exit 1
else
    mv -f "$part/err" "$work/ended/$hash.err" || exit 1
fi
echo "$code $spent" >"$part/record" && mv -f "$part/record" "$work/ended/$hash" || exit 1
rm -rf "$part"
