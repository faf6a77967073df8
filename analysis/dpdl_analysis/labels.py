# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What to call each of several runs: the algorithm, and what differs between them."""

from collections import Counter
from itertools import chain, combinations, islice, product
from string import ascii_uppercase
from typing import Sequence

from dpdl_analysis.formatting import DASH
from dpdl_analysis.trace import Trace

MOST = 5
"""At most so many differing settings go into a label."""
LONGEST = 32
"""A name has at most so many letters: it has to fit above a panel of a figure."""

TELLING = (
    "stepScale", "lossPolicy", "drop", "mode", "topology", "model", "dataset", "features", "partition",
    "network", "transport", "nodes", "rounds", "schedule", "deadline", "staleness", "epsilon", "delta",
    "clip", "noise", "stepSize", "batchSize", "sampler", "dataRate", "delay", "compute", "failures",
    "fail", "init", "samples", "seed", "run",
)
"""Settings that may distinguish runs, the most important first."""
ALONE = {"topology", "model", "dataset", "transport", "schedule", "dataRate"}
"""Settings whose value says what it is."""
BEHIND = {name: name for name in ("mode", "features", "partition", "network", "nodes", "rounds", "samples")}
BEHIND |= {"stepScale": "step", "sampler": "sampling"}
"""What stands behind the value of a setting."""
BEFORE = {"lossPolicy": "policy", "stepSize": "step", "batchSize": "batch"}
"""What stands before that of another, unless it is the setting's name."""

COMMON = (
    "model",
    "dataset",
    "partition",
    "nodes",
    "rounds",
    "topology",
    "network",
    "drop",
    "lossPolicy",
    "stepScale",
    "mode",
    "epsilon",
    "seed",
)
"""Settings that a reader wants to know of every run, in reading order."""


def labels(traces: Sequence[Trace]) -> list[str]:
    """One label a run, all different: algorithm, differing settings, the file if still needed."""
    algorithms = [trace.setting("algorithm") or trace.name for trace in traces]
    made = []
    for trace, algorithm in zip(traces, algorithms):
        # What an algorithm brings with it goes without saying: only its own runs are distinguished.
        alike = [other for other, name in zip(traces, algorithms) if name == algorithm]
        telling = differing(alike, TELLING)[:MOST]
        parts = [_words(trace, name) for name in telling]
        made.append(", ".join([algorithm] + parts))
    for files in ([trace.name for trace in traces], [trace.path for trace in traces]):
        repeated = Counter(made)
        made = [f"{label} [{file}]" if repeated[label] > 1 and file != label else label
                for label, file in zip(made, files)]
    return made


def _words(trace: Trace, name: str) -> str:
    """A setting of a run in words."""
    value = trace.setting(name) or DASH
    if name in ALONE:
        return value
    return f"{value} {BEHIND[name]}" if name in BEHIND else f"{BEFORE.get(name, name)} {value}"


def names(traces: Sequence[Trace]) -> list[str]:
    """Short names, all different: the algorithm, and as few differing settings as tell runs apart.

    What all have in common is left out. Where that is too long or does not tell them apart, these
    are the files' names, or letters.
    """
    algorithms = [trace.setting("algorithm") or trace.name for trace in traces]
    several = len(set(algorithms)) > 1
    made = []
    for trace, algorithm in zip(traces, algorithms):
        alike = [other for other, name in zip(traces, algorithms) if name == algorithm]
        telling = _telling(alike)
        parts = [_words(trace, name) for name in telling]
        made.append(" ".join([algorithm] * (several or not parts) + parts))
    for called in (made, [trace.name for trace in traces]):
        if len(set(called)) == len(called) and max(map(len, called)) <= LONGEST:
            return called
    return tags(len(traces))


def _telling(traces: Sequence[Trace]) -> list[str]:
    """As few of the differing settings as tell all runs apart, or all of them."""
    found = differing(traces, TELLING)[:MOST]
    for count in range(len(found)):
        for chosen in combinations(found, count):
            values = {tuple(trace.setting(name) for name in chosen) for trace in traces}
            if len(values) == len(traces):
                return list(chosen)
    return found


def setup(traces: Sequence[Trace]) -> str:
    """What all runs have in common, in the words of the labels."""
    apart = set(differing(traces, TELLING))
    told = [name for name in COMMON if name not in apart and traces[0].setting(name)]
    return ", ".join(_words(traces[0], name) for name in told)


def differing(traces: Sequence[Trace], names: Sequence[str]) -> list[str]:
    """Those of the named settings whose value is not the same in all runs."""
    return [name for name in names if len({trace.setting(name) for trace in traces}) > 1]


def tags(count: int) -> list[str]:
    """Short names for figures: A, B, ... Z, AA, AB, ..."""
    longer = map("".join, product(ascii_uppercase, repeat=2))
    return [*islice(chain(ascii_uppercase, longer), count)]
