# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Means over the seeds of a campaign's results, by the varied factors, as a table."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Callable, Mapping, Sequence

import pandas as pd

from dpdl_analysis.formatting import DASH, INTERVAL, contraction, duration, epsilon, exact, \
    number, percent
from dpdl_analysis.metrics import BOUNDED, titled
from dpdl_analysis.studies.references import LOW, REFERENCES, merits
from dpdl_analysis.studies.statistics import Estimate, of_all
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import REACHED


CASE = "variant"
"""Factor that replaces all others if a campaign has not all combinations of its factors' levels."""
MOST_CURVES = 8
"""Maximum number of levels of a factor with one curve per level."""


@dataclass(frozen=True)
class Response:
    """A result of every run, and its format: the run's number `key`, times `scale`."""

    key: str
    title: str
    show: Callable[[float | None], str]
    of: str = ""
    """Name of the run's number by which the result is divided; "": none."""
    scale: float = 1.0
    least: float = 0.0
    unit: str = ""
    """Unit on the axis of its figure, unless the title names it."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Range of possible values."""
        bounded = self.show is percent or self.key.startswith(BOUNDED)
        return (self.least, 1.0 if bounded else math.inf)


RESPONSES = (
    Response("accuracy_mean", "Accuracy", percent),
    Response("accuracy_worst", "Accuracy, worst node", percent),
    Response("accuracy_last_quarter", "Accuracy, last quarter", percent),
    Response("merit", "Merit", "{:.2f}".format, least=-math.inf),
    Response("epsilon_certified", "Epsilon certified", epsilon),
    Response("epsilon_claimed", "Epsilon claimed", epsilon),
    Response("q_realised", "q realised", contraction),
    Response("consensus_distance", "Consensus distance", epsilon),
    Response("messages_lost", "Share of messages lost", percent, "messages_sent"),
    Response("bytes_sent", "Megabytes sent", lambda value: exact(value, 4), scale=1e-6),
    Response("simulated_seconds", "Simulated time", duration, unit="s"),
)
"""Main results of campaigns, in the order of tables."""


def response(key: str) -> Response:
    """The response of RESPONSES with this key, or a new one for any other number of the summary."""
    usual = Response(key, titled(key)[0].upper() + titled(key)[1:], lambda value: exact(value, 4),
                     least=0.0 if REACHED.fullmatch(key) else -math.inf)
    if key.startswith("time_to_"):
        usual = replace(usual, show=duration, unit="s")
    if key.startswith("bytes_"):
        usual = replace(usual, title=usual.title.replace("Bytes", "Megabytes"), scale=1e-6)
    return next((one for one in RESPONSES if one.key == key), usual)


@dataclass
class Effects:
    """The runs of a campaign, one row per run, and those of its reference algorithms by name."""

    runs: pd.DataFrame
    factors: list[str]
    references: dict[str, pd.DataFrame] = field(default_factory=dict)
    measure: str = ""
    """Key of the measure that the campaign's file names; "" if none."""

    @cached_property
    def coloured(self) -> str:
        """Name of the factor with one colour per level; "" with fewer than two factors."""
        if len(self.factors) < 2:
            return ""
        few = [name for name in self.factors if len(self.levels(name)) <= MOST_CURVES]
        named = [name for name in few if any(number(level) is None for level in self.levels(name))]
        return (named + few + [""])[0]

    @cached_property
    def responses(self) -> list[Response]:
        """Responses that differ between runs; the measure comes first."""
        asked = [response(name) for name in self.runs
                 if name == self.measure or REACHED.fullmatch(name)]
        made = {one.key: one for one in (*RESPONSES, *asked) if self._texts(one).nunique() > 1}
        return sorted(made.values(), key=lambda one: one.key != self.measure)

    @property
    def known(self) -> list[str]:
        """Names of the numbers that at least one run has."""
        return [name for name in self.runs if self.values(response(name)).notna().any()]

    @cached_property
    def same(self) -> dict[str, str]:
        """Formatted values, by title, of the responses that are equal in all runs."""
        return {
            one.title: one.show(float(self.values(one).iloc[0]))
            for one in RESPONSES
            if self._texts(one).nunique() == 1 and self.values(one).notna().all()
        }

    def _texts(self, response: Response) -> pd.Series:
        """Formatted values of a response. Runs with equal texts count as equal."""
        return self.values(response).dropna().map(response.show)

    def values(self, response: Response) -> pd.Series:
        """Values of a response by run; nan if missing."""
        if response.key not in self.runs:
            return pd.Series(math.nan, index=self.runs.index)
        values = response.scale * pd.to_numeric(self.runs[response.key], errors="coerce")
        return values / pd.to_numeric(self.runs[response.of]) if response.of else values

    def levels(self, factor: str) -> list[str]:
        """Levels of a factor, in the order of the runs."""
        return list(dict.fromkeys(self.runs[factor]))

    def along(self, factor: str) -> list[str]:
        """Levels of a factor in the order of an axis: numbers by size, then names."""
        return sorted(self.levels(factor), key=_order)

    def of(self, reference: str) -> "Effects":
        """The runs of the reference algorithm `reference`, with the same factors."""
        return Effects(self.references[reference], self.factors)

    def means(self, response: Response, by: Sequence[str]) -> dict[tuple[str, ...], Estimate]:
        """Mean over seeds, with its interval, by combination of levels of the factors `by`.

        Keys are tuples of levels in the order of the runs; empty `by`: one mean over all runs under
        (). The mean is infinite if a run has an infinite value.
        """
        frame = self.runs[[*by, "run"]].assign(value=self.values(response))
        single = frame.groupby([*by, "run"], sort=False, dropna=False)["value"].mean()
        # groupby() would sort the levels of an index; it keeps the order of columns.
        single = single.reset_index()
        if not by:
            return {(): of_all(list(single["value"]), bounds=response.bounds)}
        made = {}
        # pandas warns about groups by a list with a single name.
        names = list(by) if len(by) > 1 else by[0]
        for place, values in single.groupby(names, sort=False, dropna=False)["value"]:
            key = place if isinstance(place, tuple) else (place,)
            made[key] = of_all(list(values), bounds=response.bounds)
        return made


def shown(value: Estimate, response: Response, spread: str = INTERVAL) -> str:
    """Text of a mean with its spread ("interval", "half" or "sd"); a dash without values."""
    if value.count == 0:
        return DASH
    mean = response.show(value.mean)
    low, high = response.show(value.low), response.show(value.high)
    known = math.isfinite(value.half) and math.isfinite(value.mean)
    if known and spread != INTERVAL:
        half = response.show(value.spread(spread))
        unit = " %" if mean.endswith(" %") and half.endswith(" %") else ""
        return f"{mean.removesuffix(unit)} ± {half}"
    return f"{mean} [{low}, {high}]" if known and low != high else mean


def variants(found: Effects, exact: bool = False, keys: Sequence[str] = (),
             spread: str = INTERVAL) -> Table:
    """Table of means over seeds, one row per variant, of `keys` or of responses that differ. With
    `exact` the cells are unrounded numbers, and spreads have their columns."""
    asked = [one for one in map(response, keys) if found.values(one).notna().any()]
    responses = asked if keys else found.responses
    rows = _variants(found, responses, exact, spread)
    for name in found.references:
        own = _variants(found.of(name), responses, exact, spread)
        for row in own:
            row[0] = row[0] if name in row[0] else f"{name}, {row[0]}"
            row[0] = name if len(own) == 1 else row[0]
        rows = own + rows if name == LOW else rows + own
    heads = [one.title + end for one in responses for end in spread_ends(exact, spread)]
    return Table("", [*(found.factors or ["runs"]), *heads], rows)


def spread_ends(exact: bool, spread: str) -> Sequence[str]:
    """Suffixes of the headings of a response's columns."""
    return ("",) if not exact else ("", ", low", ", high") if spread == INTERVAL else ("", f", {spread}")


def spread_values(value: Estimate, spread: str) -> Sequence[float]:
    """Unrounded numbers for the columns of spread_ends()."""
    ends = (value.low, value.high) if spread == INTERVAL else (value.spread(spread),)
    return (value.mean, *ends)


def _variants(found: Effects, responses: Sequence[Response], exact: bool, spread: str
              ) -> list[list[Any]]:
    columns = [found.means(response, found.factors) for response in responses]
    keys = list(found.means(RESPONSES[0], found.factors))
    rows = []
    for key in keys:
        cells = [spread_values(one, spread) if exact else (shown(one, response, spread),)
                 for column, response in zip(columns, responses) for one in [column[key]]]
        rows.append([*(key or [str(len(found.runs))]), *(value for cell in cells for value in cell)])
    return rows


def effects(runs: pd.DataFrame, named: Sequence[str], measure: str = "") -> Effects:
    """Separates the runs of reference algorithms, and keeps the factors of `named` that vary.

    If the runs have not all combinations of levels, the factor CASE replaces the factors.
    """
    filled = runs.copy()
    for factor in named:
        filled[factor] = filled[factor].fillna(DASH).astype(str) if factor in filled else DASH
    marks = filled[list(named)].isin(REFERENCES)
    is_reference = marks.any(axis=1)
    if is_reference.any() and "accuracy_mean" in filled:
        filled["_way"] = [next((one for one in row if one in REFERENCES), "")
                          for row in filled[list(named)].values.tolist()]
        shared = [name for name in named if filled[is_reference][name].nunique() > 1
                  and not marks[name].any()]
        filled["merit"] = merits(filled, "_way", setting=shared)
    rest = filled[~is_reference]
    if not any(rest[factor].nunique() > 1 for factor in named):
        rest, is_reference = filled, is_reference & False
    factors = [factor for factor in named if rest[factor].nunique() > 1]
    if len(rest[factors].drop_duplicates()) < math.prod(rest[one].nunique() for one in factors):
        words = [case(row, factors) for row in filled[factors].to_dict("records")]
        filled = filled.assign(**{CASE: words})
        rest, factors = filled[~is_reference], [CASE]
    apart = filled[is_reference]
    ends = {name: apart[(apart[list(named)] == name).any(axis=1)] for name in REFERENCES}
    return Effects(rest, factors, {name: end for name, end in ends.items() if len(end)}, measure)


def case(factors: Mapping[str, str], names: Sequence[str]) -> str:
    """Text of the levels of the factors `names`, with the factor's name before numbers."""
    told = {name: factors[name] for name in names if factors.get(name) not in ("", DASH, None)}
    return ", ".join(f"{name} {value}" if number(value) is not None or "=" in value else value
                     for name, value in told.items()) or "base"


def _order(text: str) -> tuple[int, Any]:
    value = number(text)
    return (1, 0.0) if value is None else (0, value)
