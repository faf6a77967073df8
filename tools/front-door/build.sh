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

# show_failure PRESET: what matters of a failed build.
show_failure()
{
    local log
    log=$(build_log "$1")
    grep -E -A12 -m3 '^(FAILED:|CMake Error|dpdl:)|error:' "$log" >&2 || tail -n 30 "$log" >&2
    fail "the build of $1 failed; the whole log is $log"
}

# Compilers' results are kept with the builds: only setup writes outside the checkout.
export CCACHE_DIR=${CCACHE_DIR:-$ROOT/build/ccache}

# configure PRESET: runs CMake where there is no build yet or the presets have changed.
configure()
{
    local ninja="$ROOT/build/$1/build.ninja"
    [[ ! -e $ninja || $ROOT/CMakePresets.json -nt $ninja ]] || return 0
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
        mpi) build_ns3_mpi ;;
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

# build PRESET [TARGET]: one build of a preset at a time, others wait.
build()
{
    local preset=$1 target=${2:-all} lock
    prepare "$preset"
    mkdir -p "$ROOT/build/$preset"
    exec {lock}>"$ROOT/build/$preset/.lock"
    if ! flock -n "$lock"; then
        say "waiting for another build of $preset"
        flock "$lock"
    fi
    : >"$(build_log "$preset")"
    configure "$preset"
    cmake --build "$ROOT/build/$preset" --target "$target" --parallel "$(nproc)" 2>&1 |
        progress "$preset" || show_failure "$preset"
    exec {lock}>&-
}

command_build()
{
    local preset=default target=all
    while [[ $# -gt 0 ]]; do
        case $1 in
            --preset=*) preset=${1#*=} ;;
            --target=*) target=${1#*=} ;;
            *) unknown "option of build" "$1" "--preset= --target=" ;;
        esac
        shift
    done
    require_preset "$preset"
    if [[ $preset == in-tree ]]; then
        build_in_tree
    else
        build "$preset" "$target"
    fi
    say "built $preset in build/$preset"
}

command_test()
{
    local preset=default filter=.
    while [[ $# -gt 0 ]]; do
        case $1 in
            --preset=*) preset=${1#*=} ;;
            --filter=*) filter=${1#*=} ;;
            *) unknown "option of test" "$1" "--filter= --preset=" ;;
        esac
        shift
    done
    require_preset "$preset"
    if [[ $preset == in-tree ]]; then
        test_in_tree "$filter"
        return
    fi
    ensure_packages analysis
    build "$preset"
    local jobs
    jobs=$(nproc) # before OMP_NUM_THREADS is set, which nproc heeds
    program_environment
    export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$ROOT/test/lsan.supp:print_suppressions=0}
    ctest --test-dir "$ROOT/build/$preset" --parallel "$jobs" --output-on-failure \
        --no-tests=error -R "$filter"
}

# bench_program NAME ARGUMENTS: runs a benchmark.
bench_program()
{
    local name=$1
    shift
    DPDL_COMMIT=$(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo unknown) \
        "$ROOT/build/default/bench/$name" "$@"
}

command_bench()
{
    local name names
    names=$(names_of "$ROOT"/bench/*.cc)
    if [[ $# -gt 0 ]]; then
        name=$1
        grep -qxF -e "$name" <<<"$names" || unknown benchmark "$name" "$names"
        shift
        build default "bench-$name"
        # These two also run the scenario.
        [[ $name != round && $name != scale ]] || build default learn
        program_environment
        bench_program "$name" "$@"
        return
    fi
    build default
    program_environment
    for name in $names; do
        say "bench $name"
        bench_program "$name"
    done
}
