#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# When ./dpdl builds, and when it runs what is there: on a project whose only program is a
# copy of its source, a shell script.
# usage: fresh.sh PATH-OF-DPDL PATH-OF-DPDL-COMMAND
set -uo pipefail

command=$(realpath "$2")
source_root=$(dirname "$(realpath "$1")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
clone=$scratch/clone
tool=contrib/dpdl/core/tools/dpdl-list.cc
failures=0

make_clone()
{
    mkdir -p "$clone"/{tools,contrib/dpdl/core/tools,cmake,scenarios,test,bench}
    cp "$source_root"/{dpdl,CMakePresets.json} "$clone"
    cp -r "$source_root/tools/front-door" "$clone/tools"
    cat >"$clone/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(dpdl VERSION 0.1.0 LANGUAGES NONE)
add_custom_command(OUTPUT dpdl-list DEPENDS \${CMAKE_SOURCE_DIR}/$tool
  COMMAND \${CMAKE_COMMAND} -E copy \${CMAKE_SOURCE_DIR}/$tool dpdl-list)
add_custom_target(list ALL DEPENDS dpdl-list dpdl-command)
add_custom_command(OUTPUT dpdl-command DEPENDS \${CMAKE_SOURCE_DIR}/command
  COMMAND \${CMAKE_COMMAND} -E copy \${CMAKE_SOURCE_DIR}/command dpdl-command)
END
    touch "$clone/contrib/dpdl/core/tools/dpdl-command.cc"
    cp "$command" "$clone/command"
    write_tool one
}

write_tool()
{
    printf '#!/bin/sh\necho %s\n' "$1" >"$clone/$tool"
    chmod +x "$clone/$tool"
}

# expect WHAT OUTPUT WORDS [FOLDER]: what `./dpdl list` prints in the clone, and an extended regular
# expression that standard error matches as a whole.
expect()
{
    local what=$1 output=$2 words=$3 folder=${4:-$clone} out err
    out=$(timeout 20 "$folder/dpdl" list 2>"$scratch/err" </dev/null)
    err=$(tr '\n' ';' <"$scratch/err")
    if [[ $out != "$output" || ! $err =~ ^$words$ ]]; then
        echo "FAILED: $what: got '$out' with '$err'"
        failures=$((failures + 1))
    fi
}

make_clone
expect "what is not built is built" one 'dpdl: configuring default;'
expect "what is fresh runs" one ''

# A build that goes on elsewhere.
(
    flock 9
    touch "$scratch/held"
    sleep 30
) 9>"$clone/build/default/.lock" &
holder=$!
until [[ -e $scratch/held ]]; do sleep 0.05; done
expect "what is fresh runs while another builds" one ''
kill "$holder"
wait "$holder" 2>/dev/null
sleep 0.1

write_tool two
expect "a change is built" two ''
touch "$clone/test/new"
expect "a new file is looked at" two ''
before=$(stat -c %Y.%y "$clone"/build/default/.fresh-dpdl-list)
sleep 0.1
rm "$clone/test/new"
expect "a file that is gone is looked at" two ''
[[ $before != $(stat -c %Y.%y "$clone"/build/default/.fresh-dpdl-list) ]] || {
    echo "FAILED: no build after a file was deleted"
    failures=$((failures + 1))
}
rm "$clone/build/default/dpdl-list"
expect "a program that is gone is built" two ''
cp "$clone/CMakeLists.txt" "$scratch"
cat >>"$clone/CMakeLists.txt" <<END
function(refuse)
  message(FATAL_ERROR "dpdl: GNU 11 is too old, expected 12 or newer, and a line that CMake breaks")
endfunction()
refuse()
END
expect "what CMake refuses is one line" '' \
    'dpdl: GNU 11 is too old, expected 12 or newer, and a line that CMake breaks;'
cp "$scratch/CMakeLists.txt" "$clone"
rm "$clone/build/default/CMakeCache.txt"
expect "a build without its cache is configured again" two 'dpdl: configuring default;'

# refused WHAT MESSAGE FILE LINES: what CMake says of FILE of the project behind these lines; nothing is built.
refused()
{
    local what=$1 message=$2 file=$3 lines=$4 out
    mkdir -p "$scratch/refused"
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(dpdl LANGUAGES NONE)\n%s\ninclude([[%s]])\n' \
        "$lines" "$source_root/$file" >"$scratch/refused/CMakeLists.txt"
    out=$(cmake -G Ninja -S "$scratch/refused" -B "$scratch/refused/build" 2>&1 | tr -s ' \n' '  ')
    [[ $out == *"$message"* ]] || {
        echo "FAILED: $what: got '$out'"
        failures=$((failures + 1))
    }
}

refused "a compiler that is too old" "dpdl: GNU 11.4.0 is too old, expected 12 or newer" \
    contrib/dpdl/core/cmake/DpdlCoreDependencies.cmake \
    $'set(CMAKE_CXX_COMPILER_ID GNU)\nset(CMAKE_CXX_COMPILER_VERSION 11.4.0)'
refused "an ns-3 that is too old" "dpdl: ns-3 3.36.1 is too old, expected 3.37 or newer" \
    contrib/dpdl/CMakeLists.txt 'set(ns3_VERSION 3.36.1)'

cp -a "$clone" "$scratch/copy"
sed -i 's/two/three/' "$scratch/copy/$tool"
expect "a copy builds its own sources" three \
    'dpdl: build/default was copied or moved here: building it anew;dpdl: configuring default;' \
    "$scratch/copy"
expect "the original is as it was" two ''
mv "$clone" "$scratch/moved"
expect "what was moved is built where it is" two \
    'dpdl: build/default was copied or moved here: building it anew;dpdl: configuring default;' \
    "$scratch/moved"

[[ $failures -eq 0 ]] && echo "built when it has to be"
exit $((failures > 0))
