# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Classifies a run by its evaluations: learnt, fell back, stayed at chance or diverged."""

import math
from dataclasses import dataclass

from dpdl_analysis.formatting import percent
from dpdl_analysis.trace import Trace

CLASSES = {"fashion-mnist": 10, "mnist": 10, "cifar-10": 10}
"""Number of classes by dataset. The accuracy of guessing, chance, is one over this number."""

LEARNT = 2.0
"""Minimum final accuracy of a run that has learnt, relative to chance."""
AT_CHANCE = 1.5
"""A run below this final accuracy, relative to chance, is at chance."""
FELL = 0.05
"""Minimum difference between best and final accuracy (fractions) of a run that fell back."""
EXPLODED = 3.0
"""A run whose final loss exceeds this multiple of its first loss has diverged."""

RULES = (
    f"learnt: final mean accuracy at least {LEARNT:g} times chance; fell back: also "
    f"{100 * FELL:g} points or more below its best; at chance: below {AT_CHANCE:g} times chance; "
    f"diverged: back at chance after having learnt, or a loss that is not finite or above "
    f"{EXPLODED:g} times its first value."
)
"""The rules of the classification as text for a page."""


@dataclass(frozen=True)
class Point:
    """One evaluation: mean accuracy in [0, 1] and mean loss over the nodes."""

    round: int
    accuracy: float
    loss: float | None


@dataclass(frozen=True)
class Outcome:
    """Class of a run: learnt, fell back, diverged, at chance, started or unknown, and why."""

    kind: str
    why: str


def outcome(trace: Trace) -> Outcome:
    """Classifies a run. Unknown for fewer than two evaluations, or if chance is not known."""
    curve = _curve(trace)
    if len(curve) < 2:
        return Outcome("unknown", "too few evaluations to tell")
    chance = _chance(trace, curve)
    first, last = curve[0], curve[-1]
    best = max(curve, key=lambda point: point.accuracy)
    path = (
        f"from {percent(best.accuracy)} at round {best.round} "
        f"to {percent(last.accuracy)} at round {last.round}"
    )
    exploded = _exploded(curve)
    if chance is None:
        return Outcome("diverged", exploded) if exploded else Outcome("unknown", "chance not known")
    if best.accuracy >= LEARNT * chance and last.accuracy < AT_CHANCE * chance:
        return Outcome("diverged", f"{path}, where chance is {percent(chance)}")
    if exploded:
        return Outcome("diverged", exploded)
    if last.accuracy < AT_CHANCE * chance:
        why = f"{percent(last.accuracy)} at round {last.round}, where chance is {percent(chance)}"
        return Outcome("at chance", why)
    if best.accuracy - last.accuracy >= FELL:
        return Outcome("fell back", path)
    why = f"from {percent(first.accuracy)} to {percent(last.accuracy)} in {last.round} rounds"
    return Outcome("learnt" if last.accuracy >= LEARNT * chance else "started", why)


def _curve(trace: Trace) -> list[Point]:
    if not trace.has("accuracy_by_round", "round", "accuracy_mean", "loss_mean"):
        return []
    found = trace.rows(
        "SELECT round, accuracy_mean, loss_mean FROM accuracy_by_round "
        "WHERE accuracy_mean IS NOT NULL ORDER BY round"
    )
    return [Point(*row) for row in found]


def _chance(trace: Trace, curve: list[Point]) -> float | None:
    classes = CLASSES.get(trace.setting("dataset") or "")
    if classes:
        return 1.0 / classes
    return curve[0].accuracy if curve[0].round == 0 and curve[0].accuracy > 0.0 else None


def _exploded(curve: list[Point]) -> str:
    """Reason, by the loss, that the run has diverged; "" if it has not."""
    first, last = curve[0], curve[-1]
    if first.loss is None or not math.isfinite(first.loss) or first.loss <= 0.0:
        return ""
    if last.loss is None or not math.isfinite(last.loss):
        return f"its loss at round {last.round} is not a finite number"
    if last.loss > EXPLODED * first.loss:
        return f"loss from {first.loss:.3g} to {last.loss:.3g} at round {last.round}"
    return ""
