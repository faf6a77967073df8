# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Results by which runs are compared, with their meaning and format."""

from dataclasses import dataclass
from typing import Callable, Iterable, Sequence

from dpdl_analysis.formatting import DASH, contraction, count, duration, epsilon, exact, gap, hint, \
    megabytes, percent, summary_value
from dpdl_analysis.trace import REACHED, Trace, UsageError


BOUNDED = ("accuracy", "q_")
"""Prefixes of the names of results in [0, 1]."""


@dataclass(frozen=True)
class Metric:
    """One result of a trace, formatted by `show` from the summary's items `sources`. `group` and
    `heading` stand above its column, `title` is its name, `short` and `detail` explain it."""

    key: str
    group: str
    heading: str
    title: str
    short: str
    detail: str
    show: Callable[[Trace], str]
    sources: tuple[str, ...]
    terminal: bool = True

    @property
    def head(self) -> str:
        """Heading of the column in one line."""
        return f"{self.group} {self.heading}".strip()


def lost_share(trace: Trace) -> float | None:
    """Fraction of sent messages that were lost, in [0, 1]; None if unknown or none was sent."""
    sent, lost = trace.number("messages_sent"), trace.number("messages_lost")
    return lost / sent if sent and lost is not None else None


def losses(trace: Trace) -> list[tuple[str, int, str, str]]:
    """Lost messages: (cause, number, percentage of sent ones, most frequent place)."""
    if not trace.has("delivery", "cause", "place"):
        return []
    found: dict[str, list[tuple[int, str]]] = {}
    for cause, place, count in trace.rows(
        "SELECT cause, place, COUNT(*) FROM delivery WHERE cause IS NOT NULL "
        "GROUP BY cause, place ORDER BY COUNT(*) DESC, place"
    ):
        found.setdefault(cause, []).append((count, place or DASH))
    sent = trace.number("messages_sent") or 0
    rows = [(cause, sum(count for count, _ in places), places[0][1]) for cause, places in found.items()]
    return [(cause, total, percent(total / sent) if sent else DASH, place)
            for cause, total, place in sorted(rows, key=lambda row: -row[1])]


def _of(
    name: str, show: Callable[[float | None], str], *texts: str, key: str = "", terminal: bool = True
) -> Metric:
    """The metric of the summary's item `name`; `texts` are group, heading, title, short, detail."""
    return Metric(key or name.replace("_", "-"), *texts, lambda trace: show(trace.number(name)),
                  (name,), terminal)


METRICS: tuple[Metric, ...] = (
    _of(
        "accuracy_mean", percent, "accuracy", "mean", "Accuracy, mean",
        "test accuracy of the nodes' own models, averaged; higher is better",
        "Share of the test examples that a node's own (de-biased) model classifies correctly, "
        "averaged over the nodes, at the last evaluation. Chance is one over the number of "
        "classes.",
    ),
    _of(
        "accuracy_worst", percent, "accuracy", "worst", "Accuracy, worst node",
        "the same for the node that does worst: the worst-case accuracy",
        "Test accuracy of the node with the lowest one. Far below the mean means that the network "
        "left some node behind.",
    ),
    _of(
        "accuracy_of_mean_model", percent, "accuracy", "of mean", "Accuracy of the mean model",
        "test accuracy of the average of all models, which no node has",
        "Test accuracy of the average of all nodes' models. No node holds it; above the mean "
        "accuracy it shows how much is lost to disagreement.",
        terminal=False,
    ),
    _of(
        "epsilon_claimed", epsilon, "epsilon", "claimed", "Epsilon claimed",
        "privacy loss by the algorithm's own published formula; lower is more private",
        "The privacy loss that the algorithm's publication states for these settings. It is what "
        "was claimed, not what is proven here.",
    ),
    _of(
        "epsilon_certified", epsilon, "epsilon", "certified", "Epsilon certified",
        "upper bound for what this run released, see doc/privacy.md; inf: nothing is proven",
        "Upper bound on the privacy loss from a rigorous accountant over the noisy values that "
        "this run really released, for the stated neighbouring relation. inf where no bound exists: no "
        "noise, an unknown mechanism, or an assumption that the run voided.",
    ),
    _of(
        "epsilon_observed", epsilon, "epsilon", "observed", "Epsilon observed",
        "lower bound that an attack on the run measured; a dash: no audit was run",
        "Empirical lower bound on the privacy loss from an audit. It can refute a guarantee, never "
        "prove one.",
    ),
    _of(
        "delta", exact, "epsilon", "delta", "Delta",
        "probability with which epsilon may not hold; both belong together",
        "The guarantee is (epsilon, delta): epsilon may fail to hold with probability delta.",
        terminal=False,
    ),
    _of(
        "messages_lost", count, "messages lost", "count", "Messages lost",
        "messages that did not arrive intact",
        "Number of messages that never arrived or arrived damaged, refunded ones included; late "
        "ones count as delivered.",
    ),
    Metric(
        "lost-share", "messages lost", "share", "Messages lost, share",
        "lost over sent; push-sum loses the mass they carried, unless a policy repairs it",
        "Messages lost over messages sent. Each carries a part of its sender's weight w; what "
        "becomes of it is the loss policy's business.",
        lambda trace: percent(lost_share(trace)),
        ("messages_lost", "messages_sent"),
    ),
    _of(
        "q_bound", gap, "q", "1 - bound", "1 - q, papers' bound",
        "guaranteed contraction a round; tiny values: the bound promises almost nothing",
        "One minus the papers' upper bound on q, from the graph's diameter, the number of rounds "
        "after which it is connected, and the smallest mixing weight. Printed as 1 - q because q "
        "itself is so close to 1.",
    ),
    _of(
        "q_designed", contraction, "q", "designed", "q designed",
        "measured contraction a round of the topology without loss; 0 averages exactly, 1 not at "
        "all",
        "By what factor a round shrinks the weighted spread of the nodes' values at worst, "
        "measured on the topology's own mixing weights over windows of rounds.",
    ),
    _of(
        "q_realised", contraction, "q", "realised", "q realised",
        "the same for what was really mixed, after losses and delays; equals designed without loss",
        "The same contraction measured on the shares that were really mixed. Above the designed "
        "value: losses and delays slowed the agreement down.",
    ),
    Metric(
        "mass-error", "mass", "error", "Mass error",
        "how far the ledger of w is from its exact sum; a correctness check, should be near 1e-14",
        "Largest deviation of the sum of w at nodes, in flight and lost from the number of nodes. "
        "More than 1e-12 a node means that the run's bookkeeping is wrong.",
        lambda trace: exact(trace.number("mass_error"), 2),
        ("mass_error",),
        terminal=False,
    ),
    _of(
        "simulated_seconds", duration, "time", "simulated", "Simulated time",
        "what the run would take on the modelled devices and network",
        "Time on the simulator's clock from start to the last round: computing on the modelled "
        "devices, sending over the modelled links, waiting.",
        key="simulated-time",
    ),
    _of(
        "wall_seconds", duration, "time", "wall", "Wall time",
        "what the simulation took on the machine that ran it",
        "Time that the program ran. Below the table: which part of the program it went to.",
        key="wall-time",
    ),
)



def reached(traces: Sequence[Trace]) -> list[Metric]:
    """Metrics of the time, rounds and bytes until the accuracies of option --reach."""
    return [_plain(name, traces) for name in _numbers(traces) if REACHED.fullmatch(name)]


def chosen(names: Sequence[str], traces: Sequence[Trace]) -> list[Metric]:
    """Metrics by key of METRICS or name in the summaries. Raises UsageError if one is unknown."""
    known = {one.sources[0] if len(one.sources) == 1 else one.key: one for one in METRICS}
    check_names("columns", names, [*known, *_numbers(traces)])
    return [known.get(name) or _plain(name, traces) for name in names]


def check_names(option: str, names: Sequence[str], accepted: Iterable[str]) -> None:
    """Raises UsageError naming `option` at the first of `names` that is not in `accepted`."""
    accepted = list(dict.fromkeys(accepted))
    for name in names:
        if name not in accepted:
            raise UsageError(f"--{option}: '{name}' is not accepted; expected some of "
                             f"{', '.join(accepted)}{hint(name, accepted)}")


def _numbers(traces: Sequence[Trace]) -> list[str]:
    found = (name for trace in traces for name in trace.summary if trace.number(name) is not None)
    return list(dict.fromkeys(found))


def titled(name: str) -> str:
    """Title of the summary's item `name`: blanks for underscores."""
    return name.replace("_", " ") + " %" * bool(REACHED.fullmatch(name))


def _plain(name: str, traces: Sequence[Trace]) -> Metric:
    """Metric of a summary's number that is not in METRICS, with the summary's unit and meaning."""
    row = next(trace.summary[name] for trace in traces if name in trace.summary)
    title = titled(name)
    shown = {"s": duration, "bytes": megabytes}
    show = shown.get(row.unit, lambda value: summary_value(name, value))
    return _of(name, show, "", title, title[0].upper() + title[1:], row.meaning, row.meaning)


WALL_PARTS: dict[str, str] = {
    "compute": "the nodes' local steps",
    "mixing": "mixing of parameters",
    "evaluation": "test accuracy and loss",
    "simulator": "events of the network",
    "privacy": "privacy accounting",
    "trace": "writing the trace",
    "setup": "data and models before the first round",
    "other": "what no part accounts for",
}
"""Parts of a run's wall time, with their meaning. Item wall_PART of the summary has the seconds."""


def wall_profile(trace: Trace) -> dict[str, float] | None:
    """Wall time in seconds by recorded part, and the remainder as `other`; None if not recorded."""
    total = trace.number("wall_seconds")
    recorded = {part: trace.number(f"wall_{part}") for part in WALL_PARTS}
    parts = {part: seconds for part, seconds in recorded.items() if seconds is not None}
    if total is None or total <= 0.0 or not parts:
        return None
    parts["other"] = max(0.0, total - sum(parts.values()))
    return parts
