# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A run on several processes, by MPI.

# More processes than that are a mistake on one machine.
readonly MOST_RANKS=1024

# check_learn RANKS ARGUMENTS: the program looks at them, if it is built: installing and building what
# several ranks need takes minutes. Ranks on other machines take nothing of this one's memory.
check_learn()
{
    local program="$ROOT/build/default/scenarios/learn" ranks=$1 answer
    shift
    [[ " $*" != *" --resume"* ]] ||
        mistake "option '--resume' is not accepted with --ranks: ranks keep no checkpoints; start the run again"
    [[ -x $program && " $* " != *" --help "* ]] && ((ranks > 1 && ${SLURM_JOB_NUM_NODES:-1} == 1)) || return 0
    answer=$("$program" "--CheckRanks=$ranks" "$@" 2>&1 >/dev/null) || { echo "$answer" >&2 && exit 2; }
}

# run_ranks RANKS ARGUMENTS: the scenario learn on several ranks on this machine or Slurm's, its traces merged.
run_ranks()
{
    local ranks=$1 output='' trace pipe line ended='' merge=()
    shift
    # As many as Slurm has given the job, or as this machine has cores.
    [[ $ranks != auto ]] || ranks=${SLURM_NTASKS:-$(nproc)}
    [[ $ranks =~ ^[1-9][0-9]{0,3}$ ]] && ((ranks <= MOST_RANKS)) ||
        mistake "option '--ranks' is '$(excerpt "$ranks")', expected auto, or a number >= 1 and <= $MOST_RANKS"
    check_learn "$ranks" "$@"
    ensure_packages build mpi
    command -v mpirun >/dev/null || fail "option '--ranks' needs mpirun, which comes with Open MPI"
    build default "dpdl-command learn"
    # As many ranks as cores, and more if so wanted.
    export OMPI_MCA_rmaps_base_oversubscribe=${OMPI_MCA_rmaps_base_oversubscribe:-1}
    [[ $EUID != 0 ]] ||
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # mpirun ends its ranks at TERM; a shell that waits for $(mpirun) would end without it.
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
