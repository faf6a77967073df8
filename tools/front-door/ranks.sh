# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs of scenario learn on several processes (ranks), by MPI.

# Largest accepted number of ranks; a larger one is most likely a mistake.
readonly MOST_RANKS=1024

# check_learn RANKS ARGUMENTS: exits with code 2 if the program, where it is already built, rejects the
# run. This precedes the installation and build for several ranks, which take minutes. Skipped if
# Slurm uses several machines, because the check counts the memory of all ranks on this one.
check_learn()
{
    local program="$ROOT/build/default/scenarios/learn" ranks=$1 answer
    shift
    [[ " $*" != *" --resume"* ]] ||
        mistake "option '--resume' is not accepted with --ranks: ranks keep no checkpoints; start the run again"
    [[ -x $program && " $* " != *" --help "* ]] && ((ranks > 1 && ${SLURM_JOB_NUM_NODES:-1} == 1)) || return 0
    answer=$("$program" "--CheckRanks=$ranks" "$@" 2>&1 >/dev/null) || { echo "$answer" >&2 && exit 2; }
}

# run_ranks RANKS ARGUMENTS: runs scenario learn on several ranks, on this machine or on those of a Slurm
# job, and merges their traces into one.
run_ranks()
{
    local ranks=$1 output='' trace pipe line ended='' merge=()
    shift
    # auto: the number of tasks of the Slurm job or, without Slurm, of this machine's cores.
    [[ $ranks != auto ]] || ranks=${SLURM_NTASKS:-$(nproc)}
    [[ $ranks =~ ^[1-9][0-9]{0,3}$ ]] && ((ranks <= MOST_RANKS)) ||
        mistake "option '--ranks' is '$(excerpt "$ranks")', expected auto, or a number >= 1 and <= $MOST_RANKS"
    check_learn "$ranks" "$@"
    ensure_packages build mpi
    command -v mpirun >/dev/null || fail "option '--ranks' needs mpirun, which comes with Open MPI"
    build default "dpdl-command learn"
    # Allow more ranks than cores, which mpirun refuses by default.
    export OMPI_MCA_rmaps_base_oversubscribe=${OMPI_MCA_rmaps_base_oversubscribe:-1}
    [[ $EUID != 0 ]] ||
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # On TERM mpirun ends its ranks. A shell that waits for $(mpirun) would end without passing it on.
    exec {pipe}< <(exec "$PROGRAM" --with-environment mpirun -np "$ranks" "$ROOT/build/default/scenarios/learn" "$@")
    trap "ended=130; kill -TERM $! 2>/dev/null || true" INT TERM
    while IFS= read -r line <&"$pipe"; do
        output+=${output:+$'\n'}$line
    done
    wait $! || exit "${ended:-$?}"
    trace=$(sed -n 's/^trace: \(.*\)\.rank0\(\.[^./]*\)\{0,1\}$/\1\2/p' <<<"$output")
    if [[ -z $trace ]]; then
        echo "$output"
        return
    fi
    [[ " $* " != *" --overwrite "* ]] || merge=(--overwrite)
    exec "$PROGRAM" merge "${merge[@]}" "$trace"
}
