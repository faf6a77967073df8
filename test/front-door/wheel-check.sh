#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands of an installed wheel, in a folder that is empty before.
# usage: wheel-check.sh VENV FOLDER
set -uo pipefail

venv=$(realpath "$1") run=$(realpath "$2")
failures=0

# expect CODE WORDS COMMAND...: WORDS is an extended regular expression that a line of the output or of standard
# error matches.
expect()
{
    local code=$1 words=$2 got=0 text
    shift 2
    text=$(cd "$run" && env -u DPDL_HOME PATH="$venv/bin:$PATH" "$@" 2>&1 </dev/null) || got=$?
    if [[ $got -ne $code ]] || ! grep -qE -e "$words" <<<"$text"; then
        echo "FAILED: $*: exit $got, expected $code and /$words/; got: $text"
        failures=$((failures + 1))
    fi
}

small=(--dataset=blobs --model=softmax-regression --nodes=4 --rounds=5 --progress=none)
printf '[settings]\ndataset = "blobs"\nmodel = "softmax-regression"\nrounds = 3\nnodes = 4\n[vary]\ndrop = [0, 0.2]\n' \
    >"$run/s.toml"
expect 0 '^dpdl [0-9.]+$' dpdl --version
expect 0 '^usage: dpdl COMMAND' dpdl help
expect 0 '^scenarios: .*\blearn\b.*\bwhat-if\b' dpdl run --help
expect 2 "unknown command 'build' \(accepted: run " dpdl build
expect 2 "did you mean 'learn'" dpdl run laern
expect 0 '^Example: dpdl run learn' dpdl run learn --help
expect 2 "only a clone of dpdl can have" dpdl run learn --ranks=2
expect 1 "which a wheel does not have" dpdl run learn --nodes=2 --rounds=1 --model=vit-s --dataset=cifar-shaped
expect 0 '"epsilon": 1.9930914' dpdl account --noise=2 --sampler=none --steps=1 --delta=1e-5 --json
expect 0 '^ring ' dpdl list topologies
expect 0 '^trace: a.db$' dpdl run learn "${small[@]}" --algorithm=const-d2p --trace=a.db
expect 0 '^trace: iot.db' dpdl run iot "${small[@]}" --trace=iot.db
for name in vehicular cell; do
    expect 0 "^trace: $name.db" dpdl run "$name" --dataset=blobs --model=softmax-regression --rounds=2 --trace="$name.db"
done
expect 0 'runs of learn, 0 done, [0-9]+ at a time' dpdl run what-if --plan --dataset=blobs
expect 0 '^2 traces: ' dpdl sweep s.toml --jobs=1
expect 0 'ok' dpdl inspect a.db --check
expect 0 'report.html' dpdl report a.db
expect 0 '' dpdl figure a.db --output=f.pdf
expect 0 'a' dpdl table a.db
expect 0 'is complete' dpdl resume a.db
expect 0 '^1.99309' python -P -c 'import dpdl, sys
assert not {"numpy", "pandas"} & set(sys.modules)
run = dpdl.learn(dataset="blobs", model="softmax-regression", nodes=4, rounds=5, algorithm="const-d2p", trace="b.db")
assert run.accuracy_by_round.equals(dpdl.load("a.db").accuracy_by_round)
print(dpdl.account(noise=2, sampler="none", steps=1, delta=1e-5)["epsilon"])'
[[ $failures -eq 0 ]] && echo "all commands of the wheel answer"
exit $((failures > 0))
