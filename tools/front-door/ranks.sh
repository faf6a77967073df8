# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A run on several processes, by MPI.

# More processes than that are a mistake on one machine.
readonly MOST_RANKS=1024

# check_learn RANKS ARGUMENTS: looks at them by the program without MPI, if it is built: installing
# and building what several ranks need takes minutes.
check_learn()
{
    local program="$ROOT/build/default/scenarios/learn" ranks=$1 answer
    shift
    [[ " $*" != *" --resume"* ]] ||
        mistake "option '--resume' is not accepted with --ranks: ranks keep no checkpoints; start the run again"
    [[ -x $program && " $* " != *" --help "* ]] || return 0
    # Such a text is one line, its words between tabs; what has these itself is left to the run.
    [[ "$*" != *[$'\t\n']* ]] || return 0
    answer=$(IFS=$'\t' && printf '%s\n' "$*" | "$program" --CheckRuns) || return 0
    [[ -z $answer ]] || mistake "${answer#*$'\t'*$'\t'}"
    # Ranks on other machines take nothing of this one's memory; an older program knows no --CheckRanks.
    ((ranks == 1 || ${SLURM_JOB_NUM_NODES:-1} > 1)) ||
        answer=$("$program" "$@" "--CheckRanks=$ranks" 2>&1 >/dev/null) ||
        [[ $answer == *CheckRanks* ]] || { echo "$answer" >&2 && exit 2; }
}

# run_ranks RANKS NAME ARGUMENTS: the scenario on several ranks on this machine or Slurm's, its traces merged.
run_ranks()
{
    local ranks=$1 name=$2 program output='' trace pipe line ended=''
    shift 2
    # As many as Slurm has given the job, or as this machine has cores.
    [[ $ranks != auto ]] || ranks=${SLURM_NTASKS:-$(nproc)}
    [[ $ranks =~ ^[1-9][0-9]{0,3}$ ]] && ((ranks <= MOST_RANKS)) ||
        mistake "option '--ranks' is '$(excerpt "$ranks")', expected auto, or a number >= 1 and <= $MOST_RANKS"
    [[ $name == learn ]] || mistake "option '--ranks' belongs to the scenario learn"
    check_learn "$ranks" "$@"
    ensure_packages build mpi
    command -v mpirun >/dev/null || fail "option '--ranks' needs mpirun, which comes with Open MPI"
    build default "$name"
    program_environment
    program="$ROOT/build/default/$(program_of "$name")"
    # As many ranks as cores, and more if so wanted.
    export OMPI_MCA_rmaps_base_oversubscribe=${OMPI_MCA_rmaps_base_oversubscribe:-1}
    [[ $EUID != 0 ]] ||
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # mpirun ends its ranks at TERM; a shell that waits for $(mpirun) would end without it.
    exec {pipe}< <(exec mpirun -np "$ranks" "$program" "$@")
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
    if [[ " $* " == *" --overwrite "* ]]; then
        analysis merge --overwrite "$trace"
    else
        analysis merge "$trace"
    fi
}
