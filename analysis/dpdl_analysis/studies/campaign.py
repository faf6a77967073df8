# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The runs of a campaign: its list in campaign.json, and a row of numbers for each trace."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

import pandas as pd

from dpdl_analysis.files import text_of
from dpdl_analysis.judgement import CHOOSING, alarm, certificate, together
from dpdl_analysis.last_quarter import LAST_QUARTER, evaluated
from dpdl_analysis.studies.references import REFERENCES
from dpdl_analysis.trace import DamagedTrace, Trace, UsageError

LIST = "campaign.json"

NUMBERS = ("colluders", "bytes_repair", "q_long_run", "one_minus_q_bound", "effective_nodes")
"""Numbers that not every summary has; each run's row has them, and all that its summary has."""

SENSITIVITIES = ("sensitivity_real", "sensitivity_estimated", "estimate_too_small")
"""Of DPPS: means over the measured rounds of the largest true and estimated sensitivity of a node,
and the share of these rounds in which the estimate was the smaller one."""


CERTIFICATE, SETTINGS = "certificate", "settings"
NAMED = ("algorithm", "topology", "model", "trafficTrace")
"""Settings whose values pages and tables speak of."""
ALARM = "alarm"
"""Of a run whose certificate an audit has broken, the sentence that says so; else empty."""


@dataclass
class Campaign:
    """The complete runs of one folder, and what is to be said about the others."""

    folder: Path
    scenario: str
    runs: pd.DataFrame
    """A row a run: its factors as text, `run`, ALARM, its numbers, LAST_QUARTER and its means."""
    notes: list[str]
    """The runs that are missing, in one sentence."""
    factors: list[str]
    """The names of all factors, in the order of the list."""
    privacy: list[str] = field(default_factory=list)
    """What holds for the private runs together."""
    shared: dict[str, str] = field(default_factory=dict)
    """The settings that all runs have in common, those of references aside."""
    named: dict[str, list[str]] = field(default_factory=dict)
    """The values of each of NAMED that runs have."""

    def base_trace(self, chosen: Callable[[pd.Series], bool]) -> Trace:
        """The trace of the first run for which `chosen` holds; to be closed by the caller."""
        row = next(row for _, row in self.runs.iterrows() if chosen(row))
        return Trace(self.folder / row["trace"])


def all_bytes(runs: pd.DataFrame) -> pd.Series:
    """What each run sent, with acknowledgements and what was sent again."""
    return runs["bytes_sent"] + runs["bytes_repair"].fillna(0.0)


def read(folder: Path, scenario: str = "") -> Campaign:
    """The campaign in `folder`. Raises UsageError if there is none, or not of that scenario."""
    found, listed = _listed(folder, scenario)
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


def _listed(folder: Path, scenario: str) -> tuple[str, list[dict[str, Any]]]:
    accepted = f"accepted is a folder that ./dpdl run {scenario or 'SCENARIO'} wrote"
    found, runs = listed_runs(folder, accepted)
    if scenario and found != scenario:
        raise UsageError(f"{folder}: holds runs of {found}, not of {scenario}; {accepted}")
    return found, runs


def listed_runs(folder: Path, accepted: str) -> tuple[str, list[dict[str, Any]]]:
    """Scenario and entries of a folder's list. Raises UsageError, which says what is accepted."""
    path = folder / LIST
    try:
        content = json.loads(text_of(path, accepted))
        found, runs = str(content["scenario"]), content["runs"]
        entries = [
            {**run, "trace": str(run["trace"]), "factors": dict(run["factors"])} for run in runs
        ]
        if not all("run" in entry for entry in entries):
            raise KeyError("run")
        return found, entries
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{path}: not the list of a campaign; {accepted}") from error


def _row(path: Path, entry: dict[str, Any]) -> dict[str, Any] | None:
    """The numbers of a complete run that can be read, else None."""
    with suppress(DamagedTrace, UsageError), Trace(path) as trace:
        if not trace.complete:
            return None
        numbers = {name: trace.number(name) for name in (*NUMBERS, *trace.summary)}
        numbers.update(dict.fromkeys((*LAST_QUARTER, *LAST_QUARTER.values())))
        numbers.update(evaluated(trace))
        numbers.update(zip(SENSITIVITIES, _sensitivities(trace)))
        broken = alarm(trace)
        certified = certificate(trace.number, trace.setting, str(path))
        # A factor may have the name of a number, such as `nodes`.
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
