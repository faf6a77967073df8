# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A comparison as text for the terminal."""

import textwrap
from typing import Sequence

from dpdl_analysis.comparison.common import Parting
from dpdl_analysis.comparison.comparison import Comparison
from dpdl_analysis.comparison.difference import Difference
from dpdl_analysis.comparison.sentence import sentence
from dpdl_analysis.formatting import DASH, exact
from dpdl_analysis.studies.tables import aligned

INDENT = "  "
PERCENT = {"points": "%"}


def as_text(comparison: Comparison, width: int) -> str:
    """Text of a comparison in lines of `width` characters, with all differences."""
    parts = [[f"base:    {comparison.base}", f"variant: {comparison.variant}"]]
    if comparison.name:
        parts[0].append(f"runs:    {comparison.name}")
    parts[0].append(f"pairs:   {len(comparison.seeds)} (seed-run {', '.join(comparison.seeds)})")
    parts.append(["settings that differ", *_settings(comparison)])
    parts.append(["random numbers", *_draws(comparison, width)])
    parts.append(["first difference", *_partings(comparison)])
    parts.append(_table(comparison.differences, width))
    found = sentence("the variant", comparison.differences)
    parts.append(textwrap.wrap(found[0].upper() + found[1:], width))
    said = [*comparison.notes, comparison.p_values, comparison.privacy]
    parts += [textwrap.wrap(note, width) for note in said if note]
    return "\n\n".join("\n".join(part) for part in parts)


def _settings(comparison: Comparison) -> list[str]:
    rows = [
        [INDENT + setting.name, setting.base or DASH, setting.variant or DASH]
        for setting in comparison.settings
    ]
    return aligned([[INDENT + "setting", "base", "variant"], *rows]) if rows else ["  none"]


def _draws(comparison: Comparison, width: int) -> list[str]:
    common = [draw.what for draw in comparison.draws if draw.common]
    lines = ["common: " + (", ".join(common) or "nothing")]
    reasons: dict[str, list[str]] = {}
    for draw in comparison.draws:
        if not draw.common:
            reasons.setdefault(draw.why, []).append(draw.what)
    lines += [f"of their own: {', '.join(what)} ({why})" for why, what in reasons.items()]
    if not common:
        lines.append("Chance does not cancel: the runs are no pair, and the differences hold both.")
    return [
        line
        for text in lines
        for line in textwrap.wrap(text, width, initial_indent=INDENT, subsequent_indent=2 * INDENT)
    ]


def _partings(comparison: Comparison) -> list[str]:
    told = [parting_text(part) for part in comparison.partings]
    if len(told) == 1:
        return [INDENT + told[0]]
    return [f"{INDENT}{seed}: {text}" for seed, text in zip(comparison.seeds, told)]


def parting_text(part: Parting) -> str:
    """Text with the first rounds in which two runs differ."""
    if not part.rounds:
        return "no round was evaluated in both runs"
    learning = _first("models and accuracy", part.learning, part.rounds)
    return f"{learning}; {_first('simulated time', part.clock, part.rounds)}"


def _first(what: str, round_: int | None, rounds: int) -> str:
    if round_ is None:
        return f"{what}: none in {rounds} evaluated rounds"
    return f"{what}: round {round_}"


def _table(found: Sequence[Difference], width: int) -> list[str]:
    changed = [one for one in found if not one.unchanged]
    heads = ["number", "base", "variant", "difference"]
    several = any(one.pairs > 1 for one in found)
    if several:
        heads[3] += " [95 % interval]"
    lines = aligned([heads, *(_row(one) for one in changed)]) if changed else []
    if same := unchanged(found):
        text = f"exactly equal: {', '.join(same)}"
        lines += textwrap.wrap(text, width, subsequent_indent=INDENT)
    return lines or ["the runs have no number in common"]


def _row(one: Difference) -> list[str]:
    unit = one.quantity.unit
    values = [value_text(value, unit, 6) for value in (one.base.mean, one.variant.mean)]
    return [one.quantity.title, *values, one.text()]


def unchanged(found: Sequence[Difference]) -> list[str]:
    """Titles and values of the quantities that are equal in all pairs."""
    return [f"{one.quantity.title} {value_text(one.base.mean, one.quantity.unit, 4)}"
            for one in found if one.unchanged]


def value_text(value: float, unit: str, digits: int) -> str:
    """A value with its unit; accuracies, in points, are shown in percent."""
    return f"{exact(value, digits)} {PERCENT.get(unit, unit)}".rstrip()
