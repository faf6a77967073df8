# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ./dpdl run, list, account, audit, calibrate, observe, inspect, resume and sweep: commands that run a program which was built.

# Names what the programs need in their environment and is not set by the user.
program_environment()
{
    # One thread in BLAS: the workers are the parallelism.
    export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
    export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
    # Freed blocks stay with the process: batches come in the same sizes again and again.
    local malloc=glibc.malloc
    export GLIBC_TUNABLES=${GLIBC_TUNABLES:-$malloc.mmap_threshold=4294967296:$malloc.trim_threshold=8589934592:$malloc.top_pad=67108864}
    if [[ -z ${OPENBLAS_CORETYPE:-} ]] && openblas_misses_avx512; then
        export OPENBLAS_CORETYPE=SkylakeX
    fi
}

# OpenBLAS 0.3.21 takes its AVX-512 kernels on the Intel processors that it knows by name only.
openblas_misses_avx512()
{
    awk -F': *' '
        $1 ~ /^vendor_id/ { vendor = $2 }
        $1 ~ /^cpu family/ { family = $2 }
        $1 ~ /^model\t/ { model = $2 }
        $1 ~ /^flags/ {
            split("avx512f avx512bw avx512dq avx512vl avx512cd", needed, " ")
            for (i in needed) { if (index(" " $2 " ", " " needed[i] " ") == 0) { exit 1 } }
            known = vendor == "GenuineIntel" && family == 6 && model <= 143
            found = 1
            exit known
        }
        END { if (!found) { exit 1 } }' /proc/cpuinfo 2>/dev/null
}

# program_of NAME: the path of the scenario's or example's program, from the build folder.
program_of()
{
    if [[ $1 == */* ]]; then
        return
    elif [[ -e $ROOT/scenarios/$1.cc ]]; then
        echo "scenarios/$1"
    elif [[ -e $ROOT/contrib/dpdl/examples/$1.cc ]]; then
        echo "examples/$1"
    fi
}

# study_program NAME: the programs of a study or of a paper's studies: of its runs, of their audit.
study_program()
{
    local file="$ROOT/scenarios/studies/$1.toml" program
    if [[ -z $1 || $1 == */* ]]; then
        return
    elif [[ -e $file ]]; then
        program=$(sed -n 's/^program = "\(.*\)"$/\1/p' "$file")
        echo "${program:-learn}$(grep -q '^audit = ' "$file" && echo " dpdl-audit")"
    elif [[ -d $ROOT/scenarios/papers/$1 ]]; then
        echo learn
    fi
}

command_run()
{
    local name=${1:-} program study
    [[ -n $name ]] || mistake "run needs a name (accepted: $(one_line "$(scenarios && examples)"))"
    program=$(program_of "$name")
    study=$(study_program "$name")
    [[ -n $program$study ]] || unknown "scenario or example" "$name" "$(scenarios && examples)"
    shift
    local argument ranks='' config='' arguments=()
    for argument in "$@"; do
        case $argument in
            --ranks=*) ranks=${argument#*=} ;;
            --config=*)
                [[ -z $config ]] || mistake "option '$(excerpt "$argument")' is given twice"
                config=${argument#*=}
                [[ -n $config ]] || mistake "option 'config' needs a value: a TOML file of options"
                ;;
            *) arguments+=("$argument") ;;
        esac
    done
    if [[ -n $config ]]; then
        [[ -n $program ]] || mistake "option 'config': $name is a study; accepted are programs"
        config=$(analysis_at_hand config "$config" "${arguments[@]}" | tr '\0' '\036')
        mapfile -d $'\036' -t arguments < <(printf '%s' "$config")
        set -- "${arguments[@]}"
    fi
    if [[ -n $ranks ]]; then
        run_ranks "$ranks" "$name" "${arguments[@]}"
        return
    fi
    if [[ -n $study ]]; then
        run_study "$name" "$study" "$@"
    else
        run_program "$name" "$ROOT/build/default/$program" "$@"
    fi
}

# run_program TARGET PROGRAM ARGUMENTS: the program of a target, in place of this script.
run_program()
{
    local target=$1 program=$2
    shift 2
    build default "$target"
    program_environment
    exec "$program" "$@"
}

# run_study NAME PROGRAM ARGUMENTS: makes the runs, and shows the tables of the study.
run_study()
{
    local name=$1 program=$2
    shift 2
    build default "$program"
    program_environment
    analysis run "$name" "$@"
}

# The interpreter that the analysis has found, with the package dpdl.
command_python()
{
    local interpreter
    analysis_interpreter interpreter
    export DPDL_HOME=$ROOT PYTHONPATH="$ROOT/analysis${PYTHONPATH:+:$PYTHONPATH}"
    exec "$interpreter" "$@"
}

# Reads the trace for the program to build, which then goes on as it was called.
command_resume()
{
    local name
    if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
        analysis resume --help
    fi
    name=$(analysis resume --which "$@")
    [[ -z $name ]] || build default "$name"
    program_environment
    analysis resume "$@"
}

# Reads the file for the program to build, then makes the runs.
command_sweep()
{
    local name argument
    [[ $# -gt 0 ]] || mistake "sweep needs a file: ./dpdl sweep FILE.toml [--option=value ...]"
    for argument in "$@"; do
        [[ $argument != --help && $argument != -h ]] || analysis sweep --help
    done
    name=$(analysis_at_hand sweep --which "$@")
    build default "$name"
    program_environment
    analysis sweep "$@"
}
