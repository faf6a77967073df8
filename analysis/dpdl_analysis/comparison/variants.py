# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Variants of one campaign in pairs with a reference, and p-values adjusted for their number."""

import re
from pathlib import Path
from typing import Sequence

from dpdl_analysis.comparison.comparison import Comparison, compare_files, listed_traces
from dpdl_analysis.comparison.difference import HEADLINE
from dpdl_analysis.formatting import exact, hint
from dpdl_analysis.studies.statistics import adjusted_p_values
from dpdl_analysis.trace import UsageError

BASE = "base"
"""The variant without a value for any factor."""
LEAST_P = 1e-6
"""Smaller p-values are shown as this bound."""


def compare_variants(folder: Path, names: Sequence[str]) -> list[Comparison]:
    """The variants `names[1:]` of a campaign against `names[0]`: one entry each.

    A variant has the values of its factors as its name, as its traces have (`0.3`), or also their
    names (`drop_0.3`). Raises UsageError if the folder is no campaign, has no such variant, or if
    there are less than two.
    """
    known = variants_of(folder)
    labels = [label(name, known) for name in names]
    if len(labels) < 2 or len(set(labels)) < len(labels):
        raise UsageError(f"--variants={','.join(names)}: expected two or more different names of "
                         + _accepted(known))
    reference, *others = labels
    made = []
    for other in others:
        common = [run for run in known[reference] if run in known[other]]
        if not common:
            raise UsageError(f"{folder}: {other} and {reference} have no run in common")
        files = [(known[reference][run], known[other][run]) for run in common]
        made.append(compare_files(f"{folder}: {reference}", f"{folder}: {other}", other, files))
    _adjust(made)
    return made


def variants_of(folder: Path) -> dict[str, dict[int, Path]]:
    """The traces of a campaign that are there, by variant and run, in the order of its list.

    Raises UsageError if the folder is no campaign.
    """
    known: dict[str, dict[int, Path]] = {}
    for (name, run), path in listed_traces(folder).items():
        known.setdefault(name or BASE, {})[run] = path
    return known


def _adjust(made: Sequence[Comparison]) -> None:
    """Where there are several, adds to each the p-values of the headline's numbers, adjusted."""
    told: list[list[str]] = [[] for _ in made]
    for quantity in HEADLINE:
        found = [one.find(quantity.key) for one in made]
        adjusted = adjusted_p_values([one.paired if one else None for one in found])
        for texts, one, p in zip(told, found, adjusted):
            if one and not one.unchanged and p == p:
                shown = f"< {LEAST_P:g}" if p < LEAST_P else exact(p, 2)
                texts.append(f"{quantity.title} {shown}")
    for one, texts in zip(made, told):
        if texts and len(made) > 1:
            one.p_values = (f"p-values, adjusted for {len(made)} variants by Holm's method: "
                            f"{', '.join(texts)}.")


def label(name: str, known: dict[str, dict[int, Path]]) -> str:
    """The variant of that name, with or without its factors' names. Raises UsageError for none."""
    for one in known:
        values = "-".join(part.partition(" ")[2] or part for part in one.split(", "))
        if _plain(name) in (_plain(one), _plain(values)):
            return one
    raise UsageError(f"--variants: '{name}' is no variant, accepted are {_accepted(known)}"
                     f"{hint(_plain(name), map(_plain, known))}")


def _accepted(known: dict[str, dict[int, Path]]) -> str:
    return ", ".join(map(_plain, known))


def _plain(label: str) -> str:
    """A label as one word: `drop 0.3, topology ring` is `drop_0.3-topology_ring`."""
    return re.sub(r"[^A-Za-z0-9.+-]", "_", label.replace(", ", "-").replace("=", " "))
