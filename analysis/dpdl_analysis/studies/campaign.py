# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The runs of a campaign: its list campaign.json, and one row of results per trace."""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

import pandas as pd

from dpdl_analysis.files import listed_runs
from dpdl_analysis.judgement import CHOOSING, alarm, certificate, together
from dpdl_analysis.last_quarter import LAST_QUARTER, evaluated
from dpdl_analysis.studies.references import REFERENCES
from dpdl_analysis.trace import DamagedTrace, Trace, UsageError

NUMBERS = ("colluders", "bytes_repair", "q_long_run", "one_minus_q_bound", "effective_nodes")
"""Items that some summaries lack; they are nan in the row of such a run."""

SENSITIVITIES = ("sensitivity_real", "sensitivity_estimated", "estimate_too_small")
"""Columns for DPPS: means, over measured rounds, of the largest true and the largest estimated
sensitivity of a node, and the fraction of these rounds in which the estimate was too small."""


CERTIFICATE, SETTINGS = "certificate", "settings"
NAMED = ("algorithm", "topology", "model", "trafficTrace")
"""Settings whose values pages and tables explain."""
ALARM = "alarm"
"""Column with the warning that an audit contradicts the run's certificate; "" if none does."""


@dataclass
class Campaign:
    """The complete runs of one folder, with notes on the missing runs."""

    folder: Path
    scenario: str
    runs: pd.DataFrame
    """One row per run: factors as text, trace, run number, warning, items of the summary."""
    notes: list[str]
    """A sentence on missing or incomplete runs, if there are any."""
    factors: list[str]
    """Names of all factors, in the order of campaign.json."""
    privacy: list[str] = field(default_factory=list)
    """Sentences on the guarantee of all private runs published together."""
    shared: dict[str, str] = field(default_factory=dict)
    """Settings that are equal in all runs, without runs of reference algorithms."""
    named: dict[str, list[str]] = field(default_factory=dict)
    """Values in the runs of each setting in NAMED, by setting."""

    def base_trace(self, chosen: Callable[[pd.Series], bool]) -> Trace:
        """Opens the trace of the first run for which `chosen` is true; the caller closes it."""
        row = next(row for _, row in self.runs.iterrows() if chosen(row))
        return Trace(self.folder / row["trace"])


def all_bytes(runs: pd.DataFrame) -> pd.Series:
    """Bytes that each run sent, including acknowledgements and retransmissions."""
    return runs["bytes_sent"] + runs["bytes_repair"].fillna(0.0)


def read(folder: Path, scenario: str = "") -> Campaign:
    """Reads a campaign. Raises UsageError if `folder` has none, or one of another scenario."""
    accepted = f"accepted is a folder that ./dpdl run {scenario or 'SCENARIO'} wrote"
    found, listed = listed_runs(folder, accepted)
    if scenario and found != scenario:
        raise UsageError(f"{folder}: holds runs of {found}, not of {scenario}; {accepted}")
    there = [entry for entry in listed if (folder / entry["trace"]).exists()]
    rows = [row for entry in there if (row := _row(folder / entry["trace"], entry))]
    if not rows:
        raise UsageError(f"{folder}: holds no complete run of {found}; accepted is a folder "
                         f"that ./dpdl run {found} wrote")
    missing = len(listed) - len(rows)
    notes = [f"{missing} of {len(listed)} runs are missing or incomplete, or cannot be read, and "
             "left out."] * bool(missing)
    shared = together(row.pop(CERTIFICATE) for row in rows)
    factors = list(dict.fromkeys(str(name) for entry in listed for name in entry["factors"]))
    settings = [row.pop(SETTINGS) for row in rows]
    own = [one for one in settings if one.get("algorithm") not in REFERENCES] or settings
    common = {name: value for name, value in own[0].items() if all(one.get(name) == value for one in own)}
    named = {kind: list(dict.fromkeys(one[kind] for one in settings if kind in one))
             for kind in NAMED}
    return Campaign(folder, found, pd.DataFrame(rows), notes, factors,
                    [shared, CHOOSING] if shared else [], common, named)


def _row(path: Path, entry: dict[str, Any]) -> dict[str, Any] | None:
    """Row of a run for Campaign.runs; None if the trace is incomplete or damaged."""
    with suppress(DamagedTrace, UsageError), Trace(path) as trace:
        if not trace.complete:
            return None
        numbers = {name: trace.number(name) for name in (*NUMBERS, *trace.summary)}
        numbers.update(dict.fromkeys((*LAST_QUARTER, *LAST_QUARTER.values())))
        numbers.update(evaluated(trace))
        numbers.update(zip(SENSITIVITIES, _sensitivities(trace)))
        broken = alarm(trace)
        certified = certificate(trace.number, trace.setting, str(path))
        # Factors override items of equal name, such as `nodes`.
        row = {name: _number(value) for name, value in numbers.items()}
        named = {"trace": entry["trace"], "run": entry["run"], ALARM: broken,
                 CERTIFICATE: certified, SETTINGS: trace.settings}
        return {**row, **entry["factors"], **named}
    return None


def _sensitivities(trace: Trace) -> tuple[float | None, ...]:
    if not trace.has("sensitivity_by_round", "estimated", "real"):
        return (None,) * len(SENSITIVITIES)
    largest = "SELECT MAX(real) AS real, MAX(estimated) AS estimated FROM sensitivity_by_round "
    largest += "WHERE real IS NOT NULL GROUP BY round"
    means = "AVG(real), AVG(estimated), AVG(estimated < real)"
    return trace.rows(f"SELECT {means} FROM ({largest})")[0]


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
