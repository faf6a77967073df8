# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares two runs, the runs of two campaigns, or the variants of one campaign."""

import re
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Sequence

from dpdl_analysis.comparison.common import (
    Draw,
    Parting,
    Setting,
    check_comparable,
    differing_settings,
    draws,
    parting,
)
from dpdl_analysis.comparison.difference import (
    HEADLINE,
    Difference,
    all_quantities,
    differences,
    numbers,
)
from dpdl_analysis.comparison.sentence import not_converged
from dpdl_analysis.formatting import exact, hint
from dpdl_analysis.judgement import shared
from dpdl_analysis.studies.statistics import adjusted_p_values
from dpdl_analysis.studies.tables import json_value
from dpdl_analysis.trace import Trace, UsageError

BASE = "base"
"""Name of the variant without a value for any factor."""
LEAST_P = 1e-6
"""Smaller p-values are shown as `< 1e-06`."""


@dataclass
class Comparison:
    """Comparison of one or several pairs of a base run and a variant run. `base` and `variant` are
    titles; `name` is the variant's name in a campaign, or "". By pair: `seeds` has seed and run
    number as text "SEED-RUN", `partings` the first rounds in which the two runs differ. `settings`
    and `draws` list the differing settings and the random draws of the first pair."""

    base: str
    variant: str
    name: str
    seeds: list[str]
    settings: list[Setting]
    draws: list[Draw]
    partings: list[Parting]
    differences: list[Difference]
    notes: list[str] = field(default_factory=list)
    privacy: str = ""
    """Guarantee of all private runs published together, as text, or ""."""
    files: list[tuple[Path, Path]] = field(default_factory=list)
    """Paths of the traces (base, variant) of each pair."""
    p_values: str = ""
    """Text with the p-values, adjusted for all variants that were compared together, or ""."""

    def find(self, key: str) -> Difference | None:
        """The difference of the quantity `key`; None if no pair has it."""
        return next((one for one in self.differences if one.quantity.key == key), None)


def compare_runs(base: Trace, variant: Trace) -> Comparison:
    """Compares two runs. Raises UsageError if they differ in trace schema or dataset."""
    return compare_pairs(str(base.path), str(variant.path), "", [(base, variant)])


def compare_folders(base: Path, variant: Path) -> list[Comparison]:
    """Compares the runs of two campaigns, paired by variant and run number: one entry per variant.

    If both campaigns have a single variant, the two variants are compared even if they differ.
    Raises UsageError if a folder is no campaign, or no run has a partner in the other campaign.
    """
    listed = [listed_traces(folder) for folder in (base, variant)]
    if all(len({key for key, _ in runs}) == 1 for runs in listed):
        listed = [{("", run): path for (_, run), path in runs.items()} for runs in listed]
    partners = [key for key in listed[0] if key in listed[1]]
    if not partners:
        raise UsageError(
            f"{variant}: has no run with the variant and run number of one in {base}; "
            "accepted are two campaigns with common variants, or with one variant each"
        )
    alone = sum(len(runs) - len(partners) for runs in listed)
    made = []
    for name in dict.fromkeys(name for name, _ in partners):
        files = [(listed[0][key], listed[1][key]) for key in partners if key[0] == name]
        made.append(compare_files(str(base), str(variant), name, files))
    if alone:
        made[-1].notes.append(f"{alone} runs have no partner and are left out.")
    return made


def compare_variants(folder: Path, names: Sequence[str]) -> list[Comparison]:
    """Compares the variants `names[1:]` of a campaign with `names[0]`: one entry per variant.

    The name of a variant has the values of its factors (`0.3`), or also their names (`drop_0.3`).
    Raises UsageError if the folder is no campaign, a variant is unknown, or fewer than two are
    given.
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
    """Existing traces of a campaign, keyed by variant, then run number. Raises UsageError."""
    known: dict[str, dict[int, Path]] = {}
    for (name, run), path in listed_traces(folder).items():
        known.setdefault(name or BASE, {})[run] = path
    return known


def _adjust(made: Sequence[Comparison]) -> None:
    """Sets `p_values` of each comparison, adjusted for all of them, if there are at least two."""
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
    """The key in `known` of a variant; `name` may omit factors' names. Raises UsageError."""
    for one in known:
        values = "-".join(part.partition(" ")[2] or part for part in one.split(", "))
        if _plain(name) in (_plain(one), _plain(values)):
            return one
    raise UsageError(f"--variants: '{name}' is no variant, accepted are {_accepted(known)}"
                     f"{hint(_plain(name), map(_plain, known))}")


def _accepted(known: dict[str, dict[int, Path]]) -> str:
    return ", ".join(map(_plain, known))


def _plain(label: str) -> str:
    """A label as one word: `drop 0.3, topology ring` becomes `drop_0.3-topology_ring`."""
    return re.sub(r"[^A-Za-z0-9.+-]", "_", label.replace(", ", "-").replace("=", " "))


def listed_traces(folder: Path) -> dict[tuple[str, int], Path]:
    """Existing traces of a campaign, keyed by variant and run. Raises UsageError if none exists."""
    from dpdl_analysis.files import listed_runs

    _, runs = listed_runs(folder, "accepted is a folder with the runs of a campaign")
    found = {}
    for entry in runs:
        path = folder / entry["trace"]
        if path.exists():
            parts = [f"{name} {value}" for name, value in entry["factors"].items() if value]
            found[", ".join(parts), entry["run"]] = path
    if not found:
        raise UsageError(f"{folder}: holds none of the runs that its campaign.json lists")
    return found


def opened(stack: ExitStack, files: Sequence[tuple[Path, Path]],
           salvage: bool = False) -> list[tuple[Trace, Trace]]:
    """Opens the traces of all pairs; `stack` closes them. Raises UsageError."""
    base, variant = ([stack.enter_context(Trace(path, salvage)) for path in paths]
                     for paths in zip(*files))
    return list(zip(base, variant))


def compare_files(base: str, variant: str, name: str,
                  files: Sequence[tuple[Path, Path]]) -> Comparison:
    """Compares the pairs of traces (base, variant) in `files`, as compare_pairs() does."""
    with ExitStack() as stack:
        return compare_pairs(base, variant, name, opened(stack, files))


def compare_pairs(
    base: str, variant: str, name: str, pairs: Sequence[tuple[Trace, Trace]]
) -> Comparison:
    """Compares paired runs. `base`, `variant` and `name` are titles of the result. Raises
    UsageError if the runs of a pair differ in trace schema or dataset."""
    for pair in pairs:
        check_comparable(*pair)
    shown = [_numbers(*pair) for pair in pairs]
    quantities = all_quantities([trace for pair in pairs for trace in pair])
    told = not_converged([base for base, _ in shown], differences(shown, HEADLINE[:1]))
    return Comparison(
        base=base,
        variant=variant,
        name=name,
        seeds=[
            f"{first.setting('seed') or '?'}-{first.setting('run') or '?'}" for first, _ in pairs
        ],
        settings=differing_settings(*pairs[0]),
        draws=draws(*pairs[0]),
        partings=[parting(*pair) for pair in pairs],
        differences=differences(shown, quantities),
        notes=[*_notes(pairs), *([told] if told else [])],
        privacy=shared(trace for pair in pairs for trace in pair),
        files=[(first.path, second.path) for first, second in pairs],
    )


def _numbers(base: Trace, variant: Trace) -> tuple[dict[str, float], dict[str, float]]:
    """Results of both runs; if one is incomplete, up to the last common round."""
    until = None
    if not (base.complete and variant.complete):
        until = min(_last_round(trace) for trace in (base, variant))
    return numbers(base, until), numbers(variant, until)


def _last_round(trace: Trace) -> int:
    if not trace.has("accuracy_by_round", "round"):
        return 0
    return int(trace.one("SELECT MAX(round) FROM accuracy_by_round") or 0)


def _notes(pairs: Sequence[tuple[Trace, Trace]]) -> list[str]:
    """Notes on incomplete runs and different versions of dpdl or ns-3."""
    notes = []
    for trace in (trace for pair in pairs for trace in pair if not trace.complete):
        rounds, planned = trace.number("rounds"), trace.setting("rounds")
        notes.append(
            f"{trace.path} is incomplete, {int(rounds or 0)} of {planned or '?'} rounds: accuracies "
            "are as far as both runs have come, its other numbers as far as it has."
        )
    versions = Counter(
        f"{trace.setting('dpdl')} with ns-3 {trace.setting('ns-3')}"
        for pair in pairs
        for trace in pair
    )
    if len(versions) > 1:
        notes.append(f"The runs were made by different versions: dpdl {', '.join(versions)}.")
    return notes


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as a JSON object; infinities are the texts inf and -inf, nan is null."""
    return {
        "base": comparison.base,
        "variant": comparison.variant,
        "name": comparison.name,
        "pairs": comparison.seeds,
        "settings": [vars(setting) for setting in comparison.settings],
        "draws": [vars(draw) for draw in comparison.draws],
        "partings": [vars(parting) for parting in comparison.partings],
        "differences": [_difference_as_json(one) for one in comparison.differences],
        "notes": comparison.notes
        + [note for note in (comparison.p_values, comparison.privacy) if note],
    }


def _difference_as_json(one: Difference) -> dict[str, Any]:
    values = {
        "base": one.base.mean,
        "variant": one.variant.mean,
        "difference": one.paired.mean,
        "low": one.paired.low,
        "high": one.paired.high,
        "unpaired_half": one.unpaired_half,
    }
    return {
        "key": one.quantity.key,
        "title": one.quantity.title,
        "unit": one.quantity.unit,
        "pairs": one.pairs,
        "unchanged": one.unchanged,
        **{name: json_value(value) for name, value in values.items()},
    }
