# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The result of a comparison in one sentence, with its statistical significance."""

import math
from dataclasses import replace
from typing import Sequence

from dpdl_analysis.comparison.difference import RISE, Difference, Numbers, rounded
from dpdl_analysis.formatting import epsilon, exact
from dpdl_analysis.studies.statistics import LEVEL, adjusted_p_values

ACCURACY, TIME, Q = "accuracy_mean", "simulated_seconds", "q_realised"
MOST = 3
"""Maximum number of variants that answer() names."""
CERTIFIED, CLAIMED = "epsilon_certified", "epsilon_claimed"


def sentence(name: str, differences: Sequence[Difference]) -> str:
    """One sentence on the effect of the variant `name` on accuracy, epsilon, time and q."""
    by_key = {difference.quantity.key: difference for difference in differences}
    if differences and all(difference.unchanged for difference in differences):
        return f"{name} changes nothing: every difference is exactly 0 {_over(differences[0])}."
    parts = []
    if ACCURACY in by_key:
        parts.append(f"{name} {about_accuracy(by_key[ACCURACY])}")
    parts += [_epsilon(by_key[key]) for key in _epsilons(by_key)]
    parts += [_other(by_key[key]) for key in (TIME, Q) if key in by_key]
    return ("; ".join(parts) or f"{name} has no number in common with its base") + "."


def answer(found: Sequence[tuple[str, Difference]], against: str, better: str = "higher") -> str:
    """Names the variants of `found` that differ significantly from `against`, the largest first, by
    Holm's method. `better`, "higher" or "lower", is the better direction of the quantity."""
    adjusted = adjusted_p_values([difference.paired for _, difference in found])
    tested = sum(not math.isnan(p) for p in adjusted)
    if not tested:
        return f"No difference from {against} was tested: that takes two seeds or more."
    rule = f"{100 * (1.0 - LEVEL):.0f} % over {tested} variant{'s' * (tested > 1)} (Holm)"
    sure = [one for one, p in zip(found, adjusted) if p < 1.0 - LEVEL]
    if not sure:
        return (f"No variant's {found[0][1].quantity.title} differs from that of {against} by more than chance explains, "
                f"at {rule}.")
    sure.sort(key=lambda one: -abs(one[1].paired.mean))
    told = "; ".join(f"{name} {_about(difference, better)}" for name, difference in sure[:MOST])
    more = len(sure) - MOST
    also = f"; {more} more variant{'s differ' if more > 1 else ' differs'}" if more > 0 else ""
    return f"Against {against}, at {rule}: {told}{also}."


def _about(difference: Difference, better: str) -> str:
    if difference.quantity.key == ACCURACY:
        return about_accuracy(difference)
    good = (difference.paired.mean > 0.0) == (better == "higher")
    return (f"changes {difference.quantity.title} by {difference.text()}, which is "
            f"{'better' if good else 'worse'}")


def not_converged(bases: Sequence[Numbers], effects: Sequence[Difference]) -> str:
    """Warning if the base's accuracy rose late by more than variants change it, or ""."""
    rise = 100.0 * math.fsum(base.get(RISE, 0.0) for base in bases) / max(1, len(bases))
    changes = [abs(effect.paired.mean) for effect in effects if not effect.unchanged]
    small = [change for change in changes if change < rise]
    if not small:
        return ""
    which = "the variant changes" if len(changes) == 1 else f"{len(small)} of {len(changes)} variants change"
    return (
        f"The base has not converged: its accuracy rose by {exact(rise, 2)} points over the last "
        f"quarter of its rounds, more than {which} it; more rounds may show another difference."
    )


def _over(difference: Difference) -> str:
    if difference.pairs == 1:
        return "(one seed: no interval)"
    return f"over {difference.pairs} seeds"


def about_accuracy(difference: Difference) -> str:
    """End of a sentence with the points of accuracy gained or lost; the interval has that sign."""
    if difference.unchanged:
        return f"leaves accuracy unchanged {_over(difference)}"
    if not math.isfinite(difference.paired.mean):
        return f"changes accuracy: {difference.text()}"
    if difference.pairs > 1 and not difference.tells:
        return (
            f"makes no difference in accuracy that {difference.pairs} seeds tell from 0: "
            f"{difference.text()}"
        )
    value = difference.paired
    verb = "gains" if value.mean > 0.0 else "costs"
    mean, low, high = rounded(value if value.mean > 0.0 else replace(value, mean=-value.mean))
    unit = f"{difference.quantity.unit} of accuracy"
    text = f"{verb} {mean.lstrip('+')} {unit}"
    if difference.constant:
        return f"{text} in each of {difference.pairs} seeds"
    interval = f" [{low}, {high}]" if difference.pairs > 1 else ""
    return f"{text}{interval} {_over(difference)}"


def _epsilons(by_key: dict[str, Difference]) -> list[str]:
    """Keys of the epsilons to report: certified, and claimed if certified is always infinite."""
    keys = [CERTIFIED] if CERTIFIED in by_key else []
    certified = by_key.get(CERTIFIED)
    if CLAIMED in by_key and (certified is None or certified.both_infinite == certified.pairs):
        keys.append(CLAIMED)
    return keys


def _epsilon(difference: Difference) -> str:
    title = difference.quantity.title
    if difference.unchanged and difference.both_infinite == difference.pairs:
        return f"{title} infinite in both"
    if difference.unchanged:
        return f"{title} unchanged at {epsilon(difference.base.mean)}"
    return f"{title} {difference.text()}"


def _other(difference: Difference) -> str:
    title, unit = difference.quantity.title, difference.quantity.unit
    if difference.unchanged:
        at = f" at {exact(difference.base.mean, 4)}{' ' + unit if unit else ''}"
        return f"{title} unchanged{at}"
    return f"{title} {difference.text()}"
