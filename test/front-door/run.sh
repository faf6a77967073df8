#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What ./dpdl answers to mistakes: the exit code, one line on standard error that holds the
# expected words, and nothing on standard output. Builds nothing that is not built.
# usage: run.sh PATH-OF-DPDL
set -uo pipefail

dpdl=$(realpath "$1")
failures=0

# expect CODE WORDS ARGUMENTS...: WORDS is an extended regular expression.
expect()
{
    local code=$1 words=$2 out err got=0
    shift 2
    err=$(mktemp)
    out=$("$dpdl" "$@" 2>"$err" </dev/null) || got=$?
    if [[ $got -ne $code || -n $out || $(wc -l <"$err") -ne 1 ]] || ! grep -qE -e "$words" "$err"; then
        echo "FAILED: dpdl $*: exit $got, expected $code and one line with /$words/; got:"
        cat "$err"
        echo "$out"
        failures=$((failures + 1))
    fi
    rm -f "$err"
}

# answers PATTERN ARGUMENTS...: it succeeds from another folder, and a line that it prints fits the
# extended regular expression. Reads all that it prints, so that no pipe closes early.
answers()
{
    local pattern=$1 text
    shift
    if ! text=$(cd / && "$dpdl" "$@" 2>/dev/null </dev/null) || ! grep -qE -e "$pattern" <<<"$text"; then
        echo "FAILED: dpdl $*: expected a line with /$pattern/; got:"
        echo "$text"
        failures=$((failures + 1))
    fi
}

expect 2 "unknown command 'biuld', did you mean 'build'\?" biuld
expect 2 "unknown command 'xyzzy' \(accepted: setup build" xyzzy
expect 2 "unknown command 'learn', did you mean 'run learn'\?" learn
expect 2 "unknown command 'dpdl-minimal', did you mean 'run dpdl-minimal'\?" dpdl-minimal
expect 2 "unknown preset 'assan', did you mean 'asan'\?" build --preset=assan
expect 2 "unknown preset 'assan'" test --preset=assan
expect 2 "unknown option of build '--perset=asan' \(accepted: --ns3= --preset= --target=\)" build --perset=asan
expect 2 "unknown option of test '--fliter=x'" test --fliter=x
expect 2 "unknown scenario or example 'quikstart', did you mean 'quickstart'\?" run quikstart
expect 2 "unknown scenario or example 'a.toml', did you mean 'sweep a.toml'\?" run a.toml
expect 2 "unknown command './a.toml', did you mean 'sweep ./a.toml'\?" ./a.toml
expect 2 "run needs a name" run
expect 2 "file 'x.toml': No such file or directory; accepted is a TOML file of options" run learn --config=x.toml
expect 2 "option '--config=y' is given twice" run learn --config=x --config=y
expect 2 "option 'config': quickstart is a study" run quickstart --config=x.toml
expect 2 "option '--ranks' is '0', expected auto, or a number >= 1" run learn --ranks=0
expect 2 "option '--ranks' is '1000000', expected auto, or a number >= 1 and <= 1024" run learn --ranks=1000000
expect 2 "option '--ranks' is 'a.b'" run learn --ranks=$'a\nb'
expect 2 "option '--filter' is '\[', expected a regular expression" test '--filter=['
expect 2 "option '--ns3' is 'x', expected a folder with the source of ns-3" build --ns3=x
expect 2 "unknown command '.x1b.31mred.xff'" $'\x1b[31mred\xff'
expect 2 "unknown command 'a.xe2.x80.xaebd'" $'a\xe2\x80\xaebd'
expect 2 "'--ranks' belongs to the scenario learn" run quickstart --ranks=2
expect 2 "unknown group of --with 'cuad', did you mean 'cuda'\?" setup --with=cuad
expect 2 "unknown option of setup '--yess', did you mean '--yes'\?" setup --yess
expect 2 "arguments are required: A" compare
expect 2 "nowhere.db: no such file" compare nowhere.db nowhere.db
expect 2 "resume needs a trace file" resume
expect 2 "x.db: no such file" resume x.db
expect 2 "unknown scenario or example 'paper-study'" run paper-study
expect 2 "sweep needs a file" sweep
expect 2 "file 'x.toml': No such file" sweep x.toml
expect 2 "arguments are required: FILE.db.DIR, --output" export
expect 2 "--to=xls: no such format; accepted is csv, parquet, tensorboard" export x.db --to=xls --output=x
expect 2 "nowhere.db: no such file" export nowhere.db --to=csv --output=x
expect 2 "no traces 'nowhere.rankR.db' to merge" merge nowhere.db
expect 2 "inspect needs a trace file" inspect
expect 2 "observe needs a trace file" observe
expect 2 "unknown benchmark 'nothing-like-it'" bench nothing-like-it

# Where the program behind a command is built its answers come through, from any folder.
if [[ -x $(dirname "$dpdl")/build/default/dpdl-account ]]; then
    expect 2 "account: option 'noise' is missing" account
    expect 2 "account: option: 'nosie' is not accepted;.*did you mean 'noise'" account --nosie=1
    answers '^\{"epsilon": 1\.9930914[0-9]+, .*"certified": true' \
        account --noise=2 --sampler=none --steps=1 --delta=1e-5 --json
    answers '--nodes=N' list --help
    answers '--calibrate' account --help
fi

# LibTorch takes half a second to load: programs start without it.
for program in dpdl-list scenarios/learn; do
    program=$(dirname "$dpdl")/build/default/$program
    if [[ -x $program && $(ldd "$program") == *libtorch* ]]; then
        echo "FAILED: $program is linked with LibTorch"
        failures=$((failures + 1))
    fi
done

# A campaign ends with its study.
if [[ -x $(dirname "$dpdl")/build/default/scenarios/learn ]]; then
    folder=$(mktemp -d)
    (cd "$folder" && "$dpdl" run topology-q --topologies=ring,star --losses=0 --nodes=4 --rounds=4 \
        --samples=200 --testSamples=50 --batchSize=10 --repetitions=2 --jobs=1 2>/dev/null) |
        tail -1 | grep -qxF -e 'figure: topology-q-results/topology-q.png' || {
        echo "FAILED: the study of topology-q"
        failures=$((failures + 1))
    }
    rm -rf "$folder"
    # iot is also a program; its study is what the README promises.
    for name in topology-q iot; do
        answers '^[0-9]+ variants, [0-9]+ runs of [a-z]+, 0 done, [0-9]+ at a time: ' run "$name" --plan
    done
fi

answers '^dpdl [0-9]+\.[0-9]+\.[0-9]+$' --version
answers 'usage: \./dpdl COMMAND' help
completion="source tools/front-door/completion.sh && COMP_CWORD=2 COMP_WORDS=(./dpdl run quicks) && _dpdl"
[[ $(cd "$(dirname "$dpdl")" && bash -c "$completion && echo \"\${COMPREPLY[*]}\"") == "quickstart " ]] || {
    echo "FAILED: completion"
    failures=$((failures + 1))
}
# Only what can be run is listed: each scenario is a program, a study, or a paper with studies.
scenarios=$(dirname "$dpdl")/scenarios
for name in $("$dpdl" help | sed -n 's/^scenarios: //p'); do
    grep -qsE '^main\(|^title = ' "$scenarios/$name.cc" "$scenarios/studies/$name.toml" \
        "$scenarios/papers/$name"/*.toml || {
        echo "FAILED: $name is listed as a scenario and is none"
        failures=$((failures + 1))
    }
done
[[ $failures -eq 0 ]] && echo "all answers as expected"
exit $((failures > 0))
