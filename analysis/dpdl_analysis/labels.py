# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Labels of several runs: the algorithm, and the settings that differ between the runs."""

from collections import Counter
from itertools import chain, combinations, islice, product
from string import ascii_uppercase
from typing import Sequence

from dpdl_analysis.formatting import DASH
from dpdl_analysis.trace import Trace

MOST = 5
"""Maximum number of differing settings in a label."""
LONGEST = 32
"""Maximum length of a name in characters; it must fit above a panel of a figure."""

TELLING = (
    "stepScale", "lossPolicy", "drop", "mode", "topology", "model", "dataset", "features", "partition",
    "network", "transport", "nodes", "rounds", "schedule", "deadline", "staleness", "epsilon", "delta",
    "clip", "noise", "stepSize", "batchSize", "sampler", "dataRate", "delay", "compute", "failures",
    "fail", "init", "samples", "seed", "run",
)
"""Settings that may distinguish runs, the most important first."""
ALONE = {"topology", "model", "dataset", "transport", "schedule", "dataRate"}
"""Settings whose values are clear without the setting's name."""
BEHIND = {name: name for name in ("mode", "features", "partition", "network", "nodes", "rounds", "samples")}
BEHIND |= {"stepScale": "step", "sampler": "sampling"}
"""Word after the value of a setting in a label."""
BEFORE = {"lossPolicy": "policy", "stepSize": "step", "batchSize": "batch"}
"""Word before the value of a setting in a label; settings that are not listed use their name."""

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
"""Settings in the description of all runs, in this order."""


def labels(traces: Sequence[Trace]) -> list[str]:
    """One unique label per run: algorithm, differing settings, and the file if labels are equal."""
    algorithms = [trace.setting("algorithm") or trace.name for trace in traces]
    made = []
    for trace, algorithm in zip(traces, algorithms):
        # Settings that differ only between algorithms are omitted: the algorithm implies them.
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
    value = trace.setting(name) or DASH
    if name in ALONE:
        return value
    return f"{value} {BEHIND[name]}" if name in BEHIND else f"{BEFORE.get(name, name)} {value}"


def names(traces: Sequence[Trace]) -> list[str]:
    """One short unique name per run: the algorithm, and the fewest settings that distinguish runs.

    An algorithm that all runs share is left out. If names are too long or equal, the names of files
    are used, or else the letters of tags().
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
    """The smallest set of differing settings that distinguishes all runs, else all of them."""
    found = differing(traces, TELLING)[:MOST]
    for count in range(len(found)):
        for chosen in combinations(found, count):
            values = {tuple(trace.setting(name) for name in chosen) for trace in traces}
            if len(values) == len(traces):
                return list(chosen)
    return found


def setup(traces: Sequence[Trace]) -> str:
    """Text with the main settings that are equal in all runs."""
    apart = set(differing(traces, TELLING))
    told = [name for name in COMMON if name not in apart and traces[0].setting(name)]
    return ", ".join(_words(traces[0], name) for name in told)


def differing(traces: Sequence[Trace], names: Sequence[str]) -> list[str]:
    """Settings of `names` whose values differ between the runs."""
    return [name for name in names if len({trace.setting(name) for trace in traces}) > 1]


def tags(count: int) -> list[str]:
    """The first `count` of the letters A, B, ... Z, AA, AB, ... up to ZZ."""
    longer = map("".join, product(ascii_uppercase, repeat=2))
    return [*islice(chain(ascii_uppercase, longer), count)]
