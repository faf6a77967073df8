# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The preset mpi: dpdl against an ns-3 that was built from source with its MPI simulator, and runs
# on several ranks.

readonly NS3_MPI="$ROOT/build/ns3-mpi"
readonly NS3_MPI_MODULES="applications;csma;flow-monitor;internet;lr-wpan;mobility;mpi;network;point-to-point;sixlowpan;wifi"

# ns-3 with MPI, in build/ns3-mpi/site.
build_ns3_mpi()
{
    [[ ! -e $NS3_MPI/site/complete ]] || ! is_of "$NS3_MPI" "$NS3_MPI/ns3/cmake-cache/CMakeCache.txt" ||
        return 0
    ensure_packages build in-tree mpi
    fetch_ns3 "$NS3_MPI"
    : >"$(build_log ns3-mpi)"
    (
        cd "$NS3_MPI/ns3"
        if [[ ! -e cmake-cache/build.ninja ]]; then
            say "configuring ns-3 with MPI"
            ./ns3 configure -d release --enable-mpi --enable-logs --disable-python \
                --disable-werror -G Ninja --prefix="$NS3_MPI/site" \
                --enable-modules="$NS3_MPI_MODULES"
        fi
    ) >>"$(build_log ns3-mpi)" 2>&1 || show_failure ns3-mpi
    cmake --build "$NS3_MPI/ns3/cmake-cache" --parallel "$(nproc)" 2>&1 | progress ns3-mpi ||
        show_failure ns3-mpi
    cmake --install "$NS3_MPI/ns3/cmake-cache" >>"$(build_log ns3-mpi)" 2>&1 ||
        show_failure ns3-mpi
    touch "$NS3_MPI/site/complete"
}

# More processes than that are a mistake on one machine.
readonly MOST_RANKS=1024

# check_learn ARGUMENTS: looks at them by the program without MPI, if it is built: installing and
# building what several ranks need takes minutes.
check_learn()
{
    local program="$ROOT/build/default/scenarios/learn" answer
    [[ -x $program && " $* " != *" --help "* ]] || return 0
    # Such a text is one line, its words between tabs; what has these itself is left to the run.
    [[ "$*" != *[$'\t\n']* ]] || return 0
    answer=$(IFS=$'\t' && printf '%s\n' "$*" | "$program" --CheckRuns) || return 0
    [[ -z $answer ]] || mistake "${answer#*$'\t'}"
}

# run_ranks RANKS NAME ARGUMENTS: the scenario on several ranks of this machine, its traces merged.
run_ranks()
{
    local ranks=$1 name=$2 program output trace
    shift 2
    [[ $ranks =~ ^[1-9][0-9]{0,3}$ ]] && ((ranks <= MOST_RANKS)) ||
        mistake "option '--ranks' is '$(excerpt "$ranks")', expected a number >= 1 and <= $MOST_RANKS"
    [[ $name == learn ]] || mistake "option '--ranks' belongs to the scenario learn"
    check_learn "$@"
    build mpi "$name"
    program_environment
    program="$ROOT/build/mpi/$(program_of "$name")"
    # As many ranks as cores, and more if so wanted.
    export OMPI_MCA_rmaps_base_oversubscribe=${OMPI_MCA_rmaps_base_oversubscribe:-1}
    [[ $EUID != 0 ]] ||
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    output=$(mpirun -np "$ranks" "$program" "$@") || return
    trace=$(sed -n 's/^trace: \(.*\)\.rank0\(\.[^./]*\)\{0,1\}$/\1\2/p' <<<"$output")
    if [[ -z $trace ]]; then
        echo "$output"
        return
    fi
    if [[ " $* " == *" --overwrite "* ]]; then
        analysis merge --overwrite "$trace"
    else
        analysis merge "$trace"
    fi
}
