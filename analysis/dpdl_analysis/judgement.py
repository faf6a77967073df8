# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Conclusions from the claimed, certified and observed (audited) epsilon of a run at its delta."""

import math
from dataclasses import dataclass
from typing import Any, Iterable, NamedTuple

from dpdl_analysis.formatting import epsilon
from dpdl_analysis.trace import DamagedTrace, Trace


@dataclass(frozen=True)
class Refutation:
    """An audit's epsilon `observed` above a claimed or certified `bound`. No `node`: the run's."""

    node: int | None
    observed: float
    bound: float
    nodes: int = 1
    """Number of nodes with an observed epsilon above their bound."""

    @property
    def found(self) -> str:
        """Text of the observed epsilon, with its node."""
        return epsilon(self.observed) + ("" if self.node is None else f" at node {self.node}")


def refutation(trace: Trace, kind: str) -> Refutation | None:
    """The node whose observed epsilon exceeds its epsilon of `kind` the most; None if none does.

    `kind` is claimed or certified. Compares the values of each node, since the largest values of
    the summary may belong to different nodes. Uses the summary if the nodes' rows are unreadable.
    """
    found = _by_node(trace, kind)
    if found:
        node, observed, bound = found[0]
        return Refutation(int(node), float(observed), float(bound), len(found))
    observed, bound = trace.number("epsilon_observed"), trace.number(f"epsilon_{kind}")
    if observed is not None and bound is not None and observed > bound:
        return Refutation(None, observed, bound)
    return None


def _by_node(trace: Trace, kind: str) -> list[tuple[Any, ...]]:
    if not trace.has("guarantee_by_node", "node", "observed", kind):
        return []
    try:
        return trace.rows(
            f"SELECT node, observed, {kind} FROM guarantee_by_node WHERE observed > {kind} "
            f"ORDER BY observed - {kind} DESC, node"
        )
    except DamagedTrace:
        return []


def alarm(trace: Trace) -> str:
    """Warning, for the top of a page, that an audit contradicts the certificate; or ""."""
    broken = refutation(trace, "certified")
    if broken is None:
        return ""
    more = f", and more than is certified at {broken.nodes} nodes" if broken.nodes > 1 else ""
    return (
        f"Certificate broken: an audit observed epsilon {broken.found}, above the certified "
        f"{epsilon(broken.bound)}{more}; rely on no certified epsilon of this run, and report it."
    )


class Certificate(NamedTuple):
    """Certified epsilon and delta of a run, and the identity of its random draws."""

    epsilon: float
    delta: float
    draws: tuple[str, ...]
    """Seed, run number; with independent noise, the trace. Equal values: equal noise, batches."""


def certificate(number: Any, setting: Any, trace: str) -> Certificate | None:
    """Certificate of the run in file `trace`, by functions for its numbers and settings by name;
    None if the certified epsilon is infinite."""
    value, delta = number("epsilon_certified"), number("delta")
    if value is None or not math.isfinite(value):
        return None
    own = (trace,) if str(setting("independentNoise")).lower() in ("1", "true", "yes") else ()
    return Certificate(value, delta or math.nan, (str(setting("seed")), str(setting("run")), *own))


def together(runs: Iterable[Certificate | None]) -> str:
    """Text of the guarantee of private runs published together; "" for fewer than 2."""
    private = [run for run in runs if run is not None]
    if len(private) < 2:
        return ""
    if len({run.draws for run in private}) < len(private):
        return ("Runs of one seed share noise and batches: a certified epsilon holds for one run "
                "alone, not for several that are published together (--independentNoise gives each "
                "run its own).")
    total, delta = (sum(getattr(run, name) for run in private) for name in ("epsilon", "delta"))
    at = "" if math.isnan(delta) else f" at delta {delta:.3g}"
    return (f"Published together, the {len(private)} private runs have epsilon at most "
            f"{epsilon(total)}{at} (basic composition).")


def shared(traces: Iterable[Trace]) -> str:
    """Text of the guarantee of these runs published together; "" for fewer than 2 private runs."""
    return together(certificate(trace.number, trace.setting, str(trace.path)) for trace in traces)


CHOOSING = "Choosing a run by its accuracy is not counted in any epsilon (HPARAM_SEARCH)."


def is_searched(trace: Trace) -> bool:
    """True if hyperparameters of the run were selected on its training dataset."""
    return trace.has("release", "flags") and bool(trace.one(
        "SELECT EXISTS (SELECT 1 FROM release WHERE flags LIKE '%HPARAM_SEARCH%')"))


def judgement(trace: Trace) -> str:
    """One sentence that judges the claimed epsilon by the certified and the observed epsilon."""
    claimed = trace.number("epsilon_claimed")
    certified = trace.number("epsilon_certified")
    observed = trace.number("epsilon_observed")
    if certified is None:
        return "No guarantee was recorded."
    if broken := refutation(trace, "certified"):
        return (
            f"The audit found {broken.found}, above the bound that was thought proven "
            f"({epsilon(broken.bound)}): one of the two is wrong, please report it."
        )
    if false := refutation(trace, "claimed"):
        return f"The claim is false: the audit found a loss of at least {false.found}."
    if claimed is None or math.isinf(claimed):
        text = "Nothing is claimed"
    elif claimed >= certified:
        text = "The claim is proven"
    elif math.isinf(certified):
        text = "The claim is unproven, and nothing else is proven"
    else:
        text = f"The claim is unproven; what is proven is {epsilon(certified)}"
    searched = ("; its settings were sought on the same dataset, which no epsilon counts "
                "(HPARAM_SEARCH)" if is_searched(trace) else "")
    return f"{text}; {_audit(observed)}{searched}."


def _audit(observed: float | None) -> str:
    if observed is None:
        return "no audit was run"
    return f"an audit found at least {epsilon(observed)}, which contradicts nothing"
