# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Three sentences for the report of runs, on learning, privacy and network."""

import math
from dataclasses import dataclass
from typing import Callable, Sequence

from dpdl_analysis.formatting import contraction, epsilon, exact, percent
from dpdl_analysis.judgement import refutation, shared
from dpdl_analysis.metrics import lost_share
from dpdl_analysis.outcome import Outcome, outcome
from dpdl_analysis.trace import Trace


@dataclass(frozen=True)
class _Run:
    name: str
    trace: Trace
    outcome: Outcome


def verdict(traces: Sequence[Trace], names: Sequence[str]) -> list[str]:
    """One sentence each on learning, privacy and network. `names` has one name per trace."""
    runs = [_Run(name, trace, outcome(trace)) for name, trace in zip(names, traces)]
    return [_learning(runs), _privacy(runs), _network(runs)]


def _learning(runs: Sequence[_Run]) -> str:
    learnt = [run for run in runs if run.outcome.kind == "learnt"]
    rest = [f"{run.name} {_verb(run.outcome)}" for run in runs if run not in learnt]
    if not learnt and len(runs) == 1:
        return f"The run {_verb(runs[0].outcome)}."
    if not learnt:
        return f"No run learnt and kept what it learnt: {_joined(rest)}."
    best = max(learnt, key=lambda run: run.trace.number("accuracy_mean") or 0.0)
    worst = best.trace.number("accuracy_worst")
    at_worst = f" ({percent(worst)} at its worst node)" if worst is not None else ""
    score = f"{percent(best.trace.number('accuracy_mean'))} mean accuracy{at_worst}"
    if len(runs) == 1:
        head = f"The run learnt and ends with {score}"
    elif len(learnt) == 1:
        head = f"Of {len(runs)} runs only {best.name} learnt, and ends with {score}"
    else:
        number = f"{len(learnt)} of {len(runs)}"
        if len(learnt) == len(runs):
            number = "Both" if len(runs) == 2 else f"All {len(runs)}"
        head = f"{number} runs learnt; the best is {best.name} with {score}"
    head += _best_private(learnt, best)
    return head + (f"; {_joined(rest)}." if rest else ".")


def _best_private(learnt: Sequence[_Run], best: _Run) -> str:
    """End of a sentence on the best run with a proven epsilon, if `best` has none; or ""."""
    private = [run for run in learnt if _is_proven(run.trace)]
    if best in private or not private or len(private) == len(learnt):
        return ""
    second = max(private, key=lambda run: run.trace.number("accuracy_mean") or 0.0)
    score = percent(second.trace.number("accuracy_mean"))
    return f", but without proven privacy; the best that has it is {second.name} with {score}"


def _verb(result: Outcome) -> str:
    verbs = {
        "diverged": "diverged",
        "fell back": "fell back",
        "at chance": "stayed at chance",
        "started": "has only started to learn",
    }
    return f"{verbs.get(result.kind, 'cannot be judged')} ({result.why})"


def _privacy(runs: Sequence[_Run]) -> str:
    finite = [run for run in runs if _is_proven(run.trace)]
    bare = [run for run in runs if run not in finite]
    alike: dict[str, list[str]] = {}
    for run in bare:
        alike.setdefault(_reason(run.trace), []).append(run.name)
    reasons = _joined([f"{_joined(names)} ({why})" for why, names in alike.items()])
    if not finite:
        refuted = any(refutation(run.trace, "certified") for run in runs)
        what = "no certificate holds" if refuted else "certified epsilon is inf"
        if len(runs) == 1:
            why = _reason(runs[0].trace)
            what = "its certificate does not hold" if refuted else "its certified epsilon is inf"
            return f"The run has no proven privacy: {what} ({why})."
        return f"No run has proven privacy: {what} for {reasons}."
    deltas = sorted({exact(run.trace.number("delta")) for run in finite})
    certified = _range(finite, lambda trace: trace.number("epsilon_certified"), epsilon)
    text = f"Certified epsilon is {certified} at delta {' or '.join(deltas)}"
    if any(run.trace.number("epsilon_claimed") is not None for run in finite):
        claimed = _range(finite, lambda trace: trace.number("epsilon_claimed"), epsilon)
        text += f", where the published formulas claim {claimed}"
    text += f"; nothing is proven for {reasons}." if bare else "."
    return f"{text} {shared(run.trace for run in finite)}".rstrip()


def _reason(trace: Trace) -> str:
    """Reason that no epsilon is proven: an audit's result, or the first node's reason."""
    if broken := refutation(trace, "certified"):
        return f"an audit found {broken.found}, above the certified {epsilon(broken.bound)}"
    if trace.number("epsilon_certified") is None:
        return "not recorded"
    if trace.has("guarantee_by_node", "node", "reason"):
        told = trace.one(
            "SELECT reason FROM guarantee_by_node WHERE reason IS NOT NULL ORDER BY node LIMIT 1"
        )
        if told:
            return str(told).rstrip(".")
    return "no reason given"


def _network(runs: Sequence[_Run]) -> str:
    shares = [run for run in runs if lost_share(run.trace) is not None]
    if any(run.trace.number("messages_sent") == 0 for run in runs) and not shares:
        return "No message was sent: no node had a neighbour."
    if not shares:
        return "The traces tell nothing about messages."
    if all(lost_share(run.trace) == 0.0 for run in shares):
        text = "The network lost no message"
    else:
        text = f"The network lost {_range(shares, lost_share, percent)} of the messages"
    measured = [run for run in runs if run.trace.number("q_realised") is not None]
    if not measured:
        return text + "."
    realised = _range(measured, lambda trace: trace.number("q_realised"), contraction)
    designed = _range(measured, lambda trace: trace.number("q_designed"), contraction)
    if realised == designed:
        return f"{text}, and disagreement contracted by {realised} a round as designed."
    return (
        f"{text}; disagreement contracted by {realised} a round where the topology without loss "
        f"gives {designed} (0 averages exactly, 1 not at all)."
    )


def _range(
    runs: Sequence[_Run],
    number: Callable[[Trace], float | None],
    show: Callable[[float | None], str],
) -> str:
    """Text of the runs' common value, or of the minimum and maximum with the runs' names."""
    found = [(value, run.name) for run in runs if (value := number(run.trace)) is not None]
    if not found:
        return "-"
    (least, first), (most, last) = min(found), max(found)
    if show(least) == show(most):
        return show(least)
    return f"{show(least)} ({first}) to {show(most)} ({last})"


def _is_proven(trace: Trace) -> bool:
    """True if the certified epsilon is finite, and no audit contradicts it."""
    value = trace.number("epsilon_certified")
    return value is not None and math.isfinite(value) and not refutation(trace, "certified")


def _joined(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1]
