# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ./dpdl build, ./dpdl test and ./dpdl bench.

# The log of the last build of a preset.
build_log()
{
    echo "$ROOT/build/$1/build.log"
}

# progress PRESET: copies ninja's output to the log, and to standard error as little as tells that
# it goes on: one line rewritten in place on a terminal, one every 20 seconds otherwise.
progress()
{
    local line last=$SECONDS shown=no
    while IFS= read -r line; do
        echo "$line" >&3
        [[ $line =~ ^\[([0-9]+/[0-9]+)\] ]] || continue
        if [[ -t 2 ]]; then
            printf '\rdpdl: building %s %s \033[K' "$1" "${BASH_REMATCH[1]}" >&2
            shown=yes
        elif ((SECONDS - last >= 20)); then
            say "building $1 ${BASH_REMATCH[1]}"
            last=$SECONDS
        fi
    done 3>>"$(build_log "$1")"
    [[ $shown == no ]] || printf '\r\033[K' >&2
}

# show_failure PRESET: what matters of a failed build. What dpdl's CMake refuses is the user's to mend.
show_failure()
{
    local log refused
    log=$(build_log "$1")
    refused=$(sed -n '/^  dpdl: /,/^[^ ]\|^$/{/^  /p}' "$log")
    [[ -z $refused ]] || mistake "$(one_line "${refused#*dpdl: }")"
    grep -E -A12 -m3 '^(FAILED:|CMake Error|dpdl:)|error:' "$log" >&2 || tail -n 30 "$log" >&2
    fail "the build of $1 failed; the whole log is $log"
}

# Compilers' results are kept with the builds: only setup writes outside the checkout. Builds in other folders,
# such as that of the wheel, find them.
export CCACHE_DIR=${CCACHE_DIR:-$ROOT/build/ccache} CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1

# All that a build reads and is no package.
readonly SOURCES=("$ROOT"/{CMakeLists.txt,CMakePresets.json,cmake,contrib,scenarios,test,bench})

# built TARGET: the program that it makes, from the build folder; nothing if it makes none.
built()
{
    if [[ -e $ROOT/contrib/dpdl/core/tools/$1.cc ]]; then
        echo "$1"
    elif [[ -e $ROOT/scenarios/$1.cc ]]; then
        echo "scenarios/$1"
    elif [[ -e $ROOT/contrib/dpdl/examples/$1.cc ]]; then
        echo "examples/$1"
    fi
}

# is_fresh PRESET TARGETS: whether nothing has changed since the targets were built, here. The time
# of .fresh-TARGET is when its last build began that ended well. Changes of folders count, since a
# file that is gone leaves no other trace.
is_fresh()
{
    local folder="$ROOT/build/$1" target program stamp oldest=''
    for target in $2; do
        program=$(built "$target") stamp="$folder/.fresh-$target"
        # Target all comprises scenarios and tools, but not every example.
        [[ -z $program || $program == examples/* || ! $folder/.fresh-all -nt $stamp ]] ||
            stamp="$folder/.fresh-all"
        [[ -e $stamp && -e $folder/${program:-contrib/dpdl/core/libdpdl-core.so} ]] || return 1
        [[ -n $oldest && ! $stamp -ot $oldest ]] || oldest=$stamp
    done
    is_of "$ROOT" "$folder/CMakeCache.txt" && ! packages_changed "$oldest" &&
        [[ -z $(find "${SOURCES[@]}" -cnewer "$oldest" -print -quit) ]]
}

# can_write PRESET: whether its build folder can be written; made if it is missing.
can_write()
{
    local folder="$ROOT/build/$1"
    mkdir -p "$folder" 2>/dev/null && [[ -w $folder && (! -e $folder/.lock || -w $folder/.lock) ]]
}

# use_as_is PRESET TARGETS: says that programs in a folder that cannot be written may be out of date.
use_as_is()
{
    local target program
    for target in $2; do
        program=$(built "$target")
        [[ -n $program && -x $ROOT/build/$1/$program ]] ||
            fail "build/$1 has no $target that is up to date, and you cannot write there; its owner makes it: ./dpdl build"
    done
    say "build/$1 may be out of date, and you cannot write there: using it as it is"
}

# is_of SOURCES CACHE: whether the build with that cache is one of these sources, or of a folder in
# them, and not of those that this clone was copied from, or moved away from.
is_of()
{
    local home
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$2" 2>/dev/null)
    [[ $home == "$1" || $home == "$1"/* ]]
}

# settle PRESET: empties a build folder of other sources, but for what was fetched for it.
settle()
{
    local folder="$ROOT/build/$1"
    [[ -e $folder/CMakeCache.txt ]] && ! is_of "$ROOT" "$folder/CMakeCache.txt" || return 0
    say "build/$1 was copied or moved here: building it anew"
    find "$folder" -mindepth 1 -maxdepth 1 ! -name site ! -name .lock -exec rm -rf {} +
}

# configure PRESET: runs CMake where there is no build yet, or the presets or what is installed have
# changed.
configure()
{
    local folder="$ROOT/build/$1" ninja="$ROOT/build/$1/build.ninja"
    [[ ! -e $ninja || ! -e $folder/CMakeCache.txt || $ROOT/CMakePresets.json -nt $ninja ]] ||
        packages_changed "$ninja" || return 0
    say "configuring $1"
    if command -v ccache >/dev/null; then
        export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    fi
    (cd "$ROOT" && cmake --preset "$1") >>"$(build_log "$1")" 2>&1 || show_failure "$1"
    touch -c "$ninja"
}

# prepare PRESET: packages, and what else the preset needs before CMake.
prepare()
{
    ensure_packages build
    case $1 in
        tidy) ensure_packages tidy ;;
        ns3-wheel) fetch_wheel ;;
    esac
}

# ns-3 3.44's headers and libraries, from the Python package index, into the build folder.
fetch_wheel()
{
    local site="$ROOT/build/ns3-wheel/site" interpreter=/usr/bin/python3
    [[ ! -d $site/ns3 ]] || return 0
    ensure_packages analysis wheel
    [[ -x $interpreter ]] || interpreter=python3
    say "fetching ns-3 3.44 into $site"
    rm -rf "$site.part"
    "$interpreter" -m pip install -q --no-deps --target "$site.part" ns3==3.44.post0 >&2 ||
        fail "could not fetch ns3==3.44.post0"
    mv "$site.part" "$site"
}

# build PRESET [TARGETS]: one build of a preset at a time, others wait, unless theirs is fresh.
build()
{
    local preset=$1 targets=${2:-all} folder="$ROOT/build/$1" lock target
    ! is_fresh "$preset" "$targets" || return 0
    can_write "$preset" || { use_as_is "$preset" "$targets" && return; }
    prepare "$preset"
    exec {lock}>"$folder/.lock"
    if ! flock -n "$lock"; then
        say "waiting for another build of $preset"
        flock "$lock"
    fi
    settle "$preset"
    : >"$(build_log "$preset")"
    # What changes from here on may have been read already.
    touch "$folder/.begun"
    configure "$preset"
    # shellcheck disable=SC2086
    cmake --build "$folder" --target $targets --parallel "$(nproc)" 2>&1 |
        progress "$preset" || show_failure "$preset"
    for target in $targets; do
        cp -p "$folder/.begun" "$folder/.fresh-$target"
    done
    exec {lock}>&-
}

command_build()
{
    local preset=default target=all ns3=
    while [[ $# -gt 0 ]]; do
        case $1 in
            --preset=*) preset=${1#*=} ;;
            --target=*) target=${1#*=} ;;
            --ns3=?*) preset=in-tree ns3=${1#*=} ;;
            *) unknown "option of build" "$1" "--ns3= --preset= --target=" ;;
        esac
        shift
    done
    require_preset "$preset"
    if [[ $preset == in-tree ]]; then
        build_in_tree "$ns3"
    else
        can_write "$preset" || is_fresh "$preset" "$target" || fail "build/$preset: you cannot write there"
        build "$preset" "$target"
    fi
    say "built $preset in build/$preset"
}

# use_memory: makes a folder in memory the place of temporary files, where there is one with room for
# those of the tests and programs may run in it. They write thousands of small traces.
use_memory()
{
    local shared=/dev/shm room probe
    [[ -z ${TMPDIR-} && -d $shared && -w $shared ]] || return 0
    room=$(df --output=avail -k "$shared" 2>/dev/null | tail -n 1)
    ((${room:-0} >= 2 * 1024 * 1024)) || return 0
    TMPDIR=$(mktemp -d "$shared/dpdl-test.XXXXXX") && chmod 755 "$TMPDIR" || return 0
    trap 'rm -rf "$TMPDIR"' EXIT
    probe=$TMPDIR/probe
    printf '#!/bin/sh\n' >"$probe" && chmod +x "$probe"
    if "$probe" 2>/dev/null; then
        # ns-3 reads TMP.
        export TMPDIR TMP=$TMPDIR
    fi
}

# Builds and runs the tests; those that bear the label slow with --all alone. --target names what the
# tests of the filter need, where that is less than all.
command_test()
{
    local preset=default filter=. targets=all ns3= tier=(-LE '^slow$')
    while [[ $# -gt 0 ]]; do
        case $1 in
            --all) targets="all slow" tier=() ;;
            --preset=*) preset=${1#*=} ;;
            --filter=*) filter=${1#*=} ;;
            --target=*) targets=${1#*=} ;;
            --ns3=?*) preset=in-tree ns3=${1#*=} ;;
            *) unknown "option of test" "$1" "--all --filter= --ns3= --preset= --target=" ;;
        esac
        shift
    done
    require_preset "$preset"
    grep -qE -e "$filter" </dev/null 2>/dev/null || (($? < 2)) ||
        mistake "option '--filter' is '$(excerpt "$filter")', expected a regular expression"
    if [[ $preset == in-tree ]]; then
        test_in_tree "$filter" "$ns3"
        return
    fi
    ensure_packages analysis
    build "$preset" "dpdl-command $targets"
    local jobs
    # One more than there are cores: some tests wait.
    jobs=$(($(nproc) + 1))
    use_memory
    export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$ROOT/test/lsan.supp:print_suppressions=0}
    export TSAN_OPTIONS=${TSAN_OPTIONS:-suppressions=$ROOT/test/tsan.supp}
    "$ROOT/build/$preset/dpdl-command" --with-environment \
        ctest --test-dir "$ROOT/build/$preset" --parallel "$jobs" --output-on-failure \
        --no-tests=error "${tier[@]}" -R "$filter" && return
    [[ $targets != all ]] || say "tests that are slow run with --all only"
    return 1
}

command_bench()
{
    local name names targets="dpdl-command benchmarks learn"
    names=$(names_of "$ROOT"/bench/*.cc)
    if [[ $# -gt 0 ]]; then
        grep -qxF -e "$1" <<<"$names" || unknown benchmark "$1" "$names"
        names=$1 targets="dpdl-command bench-$1"
        # These two also run the scenario.
        [[ $1 != round && $1 != scale ]] || targets+=" learn"
        shift
    fi
    build default "$targets"
    for name in $names; do
        say "bench $name"
        DPDL_COMMIT=$(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo unknown) \
            "$PROGRAM" --with-environment "$ROOT/build/default/bench/$name" "$@"
    done
}
