# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What two runs have in common: settings, random numbers, and how long they stay equal."""

from dataclasses import dataclass

from dpdl_analysis.trace import VIEWS, Trace, UsageError

INCIDENTAL = frozenset("commandLine commit cpu gpu overwrite progress trace workers".split())
"""Settings that change no result."""

SEEDS = ("seed", "run")
_DATA = ("dataset", "dataDir", "samples", "partition", "nodes")
DRAWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("first models", ("model", "features", "init")),
    ("data at the nodes", _DATA),
    ("batches", (*_DATA, "sampler", "batchSize")),
    ("noise", ("model", "features", "noiseSource")),
    ("losses of the same cause", ("topology", "nodes", "network", "transport", "chunk")),
)
"""What is drawn, and the settings that must be equal for the draws to be the same."""

CLOCK = "simulated_seconds"


@dataclass(frozen=True)
class Setting:
    """A setting that differs; None where a run does not have it."""

    name: str
    base: str | None
    variant: str | None


@dataclass(frozen=True)
class Draw:
    """One kind of random numbers: common to both runs, or why not."""

    what: str
    common: bool
    why: str


@dataclass(frozen=True)
class Parting:
    """How far the curves of two runs are equal, bit for bit.

    `learning` and `clock` are the first evaluated round in which anything learnt, or the simulated
    time, differs; None if none does. `rounds` counts the evaluated rounds that both have.
    """

    learning: int | None
    clock: int | None
    rounds: int


def check_comparable(base: Trace, variant: Trace) -> None:
    """Raises UsageError for traces of different schemas or datasets."""
    for what, accepted, one, other in (
        ("trace schema", "of one schema", base.schema_version(), variant.schema_version()),
        ("dataset", "on one dataset", base.setting("dataset"), variant.setting("dataset")),
    ):
        if one != other:
            raise UsageError(f"{variant.path}: {what} {other}, but {base.path} has {one}; accepted "
                             f"are two runs {accepted}")


def differing_settings(base: Trace, variant: Trace) -> list[Setting]:
    """The settings that differ, in the order of the traces, options before attributes."""
    names = [*base.settings, *(name for name in variant.settings if name not in base.settings)]
    found = [
        Setting(name, base.setting(name), variant.setting(name))
        for name in names
        if name not in INCIDENTAL and base.setting(name) != variant.setting(name)
    ]
    return sorted(found, key=lambda setting: setting.name.startswith("ns3::"))


def draws(base: Trace, variant: Trace) -> list[Draw]:
    """Which random numbers the runs share."""
    found = []
    for what, names in DRAWS:
        why = _unequal(base, variant, SEEDS)
        if not why and what == "noise" and base.setting("noiseSource") == "system":
            why = "noiseSource system"
        why = why or _unequal(base, variant, names)
        found.append(Draw(what, not why, why))
    return found


def _unequal(base: Trace, variant: Trace, names: tuple[str, ...]) -> str:
    """Those of the settings that differ, with both values."""
    return ", ".join(
        f"{name} {base.setting(name) or '-'} and {variant.setting(name) or '-'}"
        for name in names
        if base.setting(name) != variant.setting(name)
    )


def parting(base: Trace, variant: Trace) -> Parting:
    """Where the curves in accuracy_by_round stop being equal."""
    columns = [
        name
        for name in VIEWS["accuracy_by_round"]
        if all(trace.has("accuracy_by_round", name) for trace in (base, variant))
    ]
    curves = [_curve(trace, columns) for trace in (base, variant)]
    rounds = sorted(set(curves[0]) & set(curves[1]))
    learnt = [name for name in columns if name != CLOCK]

    def first(names: list[str]) -> int | None:
        unequal = (
            k for k in rounds if any(curves[0][k].get(n) != curves[1][k].get(n) for n in names)
        )
        return next(unequal, None)

    return Parting(first(learnt), first([CLOCK]), len(rounds))


def _curve(trace: Trace, columns: list[str]) -> dict[int, dict[str, float | None]]:
    if "round" not in columns:
        return {}
    found = trace.rows(f"SELECT {', '.join(columns)} FROM accuracy_by_round")
    rows = (dict(zip(columns, row)) for row in found)
    return {int(row["round"]): row for row in rows}
