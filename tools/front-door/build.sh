# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Commands ./dpdl build, ./dpdl test and ./dpdl bench.

# build_log PRESET: prints the path of the log of the preset's last build.
build_log()
{
    echo "$ROOT/build/$1/build.log"
}

# progress PRESET: copies ninja's output from standard input to the log. Shows the progress on standard
# error: on a terminal one line rewritten in place, otherwise a line every 20 seconds.
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

# show_failure PRESET: prints the first errors of a failed build, and exits with code 1; with code 2 if
# dpdl's CMake files refused a setting, which the user can change.
show_failure()
{
    local log refused
    log=$(build_log "$1")
    refused=$(sed -n '/^  dpdl: /,/^[^ ]\|^$/{/^  /p}' "$log")
    [[ -z $refused ]] || mistake "$(one_line "${refused#*dpdl: }")"
    grep -E -A12 -m3 '^(FAILED:|CMake Error|dpdl:)|error:' "$log" >&2 || tail -n 30 "$log" >&2
    fail "the build of $1 failed; the whole log is $log"
}

# The compiler cache is in the folder of the builds, since only setup may write outside the checkout.
# CCACHE_BASEDIR lets builds in other folders use its entries.
export CCACHE_DIR=${CCACHE_DIR:-$ROOT/build/ccache} CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1

# Files and folders of the checkout that a build reads; a change makes a build out of date.
readonly SOURCES=("$ROOT"/{CMakeLists.txt,CMakePresets.json,cmake,contrib,scenarios,test,bench})

# built TARGET: prints the path of the target's program in the build folder; nothing if it has none.
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

# is_fresh PRESET TARGETS: true if the targets were built in this checkout and nothing that they read
# has changed since. The time of .fresh-TARGET is the start of its last successful build. Folders
# also count, since only the folder's time shows that a file was removed.
is_fresh()
{
    local folder="$ROOT/build/$1" target program stamp oldest=''
    for target in $2; do
        program=$(built "$target") stamp="$folder/.fresh-$target"
        # A build of target all also builds scenarios and tools, but not every example.
        [[ -z $program || $program == examples/* || ! $folder/.fresh-all -nt $stamp ]] ||
            stamp="$folder/.fresh-all"
        [[ -e $stamp && -e $folder/${program:-contrib/dpdl/core/libdpdl-core.so} ]] || return 1
        [[ -n $oldest && ! $stamp -ot $oldest ]] || oldest=$stamp
    done
    is_of "$ROOT" "$folder/CMakeCache.txt" && ! packages_changed "$oldest" &&
        [[ -z $(find "${SOURCES[@]}" -cnewer "$oldest" -print -quit) ]]
}

# can_write PRESET: true if the user can write to its build folder; creates the folder if missing.
can_write()
{
    local folder="$ROOT/build/$1"
    mkdir -p "$folder" 2>/dev/null && [[ -w $folder && (! -e $folder/.lock || -w $folder/.lock) ]]
}

# use_as_is PRESET TARGETS: accepts the programs of a read-only build folder, with a warning that they
# may be out of date; exits with code 1 if one is missing.
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

# is_of SOURCES CACHE: true if the CMake cache was made for this source folder or a folder in it. False
# after the checkout was copied or moved with its builds.
is_of()
{
    local home
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$2" 2>/dev/null)
    [[ $home == "$1" || $home == "$1"/* ]]
}

# settle PRESET: empties the build folder if it was made for other sources; keeps the fetched packages
# (site) and the lock.
settle()
{
    local folder="$ROOT/build/$1"
    [[ -e $folder/CMakeCache.txt ]] && ! is_of "$ROOT" "$folder/CMakeCache.txt" || return 0
    say "build/$1 was copied or moved here: building it anew"
    find "$folder" -mindepth 1 -maxdepth 1 ! -name site ! -name .lock -exec rm -rf {} +
}

# configure PRESET: runs CMake if the preset is not configured yet, or the presets or the installed
# packages have changed.
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

# prepare PRESET: installs the packages that the preset needs, and fetches ns-3 for ns3-wheel.
prepare()
{
    ensure_packages build
    case $1 in
        tidy) ensure_packages tidy ;;
        ns3-wheel) fetch_wheel ;;
    esac
}

# Fetches the headers and libraries of ns-3 3.44 from the Python package index into the build folder.
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

# build PRESET [TARGETS]: builds the targets (default: all) unless they are fresh. Another build of the
# same preset has to finish first.
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
    # Files that change from here on may already have been read, so they make the build out of date.
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
            --ns3=?*) ns3=${1#*=} ;;
            *) unknown "option of build" "$1" "--ns3= --preset= --target=" ;;
        esac
        shift
    done
    require_preset "$preset"
    [[ -z $ns3 || $preset == in-tree* ]] || preset=in-tree
    if [[ $preset == in-tree* ]]; then
        build_in_tree "$preset" "$ns3"
    else
        can_write "$preset" || is_fresh "$preset" "$target" || fail "build/$preset: you cannot write there"
        build "$preset" "$target"
    fi
    say "built $preset in build/$preset"
}

# use_memory: lets tests keep temporary files in /dev/shm, since they write thousands of small traces.
# Does nothing if TMPDIR is set, less than 2 GiB are free there, or programs may not run there.
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
        # ns-3 reads TMP instead of TMPDIR.
        export TMPDIR TMP=$TMPDIR
    fi
}

# Builds and runs the tests; tests with the label slow only with --all. --target names the targets that
# the tests of --filter need, if these are less than all.
command_test()
{
    local preset=default filter=. targets=all ns3= tier=(-LE '^slow$')
    while [[ $# -gt 0 ]]; do
        case $1 in
            --all) targets="all slow" tier=() ;;
            --preset=*) preset=${1#*=} ;;
            --filter=*) filter=${1#*=} ;;
            --target=*) targets=${1#*=} ;;
            --ns3=?*) ns3=${1#*=} ;;
            *) unknown "option of test" "$1" "--all --filter= --ns3= --preset= --target=" ;;
        esac
        shift
    done
    require_preset "$preset"
    [[ -z $ns3 || $preset == in-tree* ]] || preset=in-tree
    grep -qE -e "$filter" </dev/null 2>/dev/null || (($? < 2)) ||
        mistake "option '--filter' is '$(excerpt "$filter")', expected a regular expression"
    if [[ $preset == in-tree* ]]; then
        test_in_tree "$filter" "$preset" "$ns3"
        return
    fi
    ensure_packages analysis
    build "$preset" "dpdl-command $targets"
    local jobs
    # Run one more test than there are cores, because some tests wait.
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
        # These two benchmarks also run the scenario learn.
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
