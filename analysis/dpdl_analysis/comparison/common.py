# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares settings and random draws of two runs, and finds their first difference."""

from dataclasses import dataclass

from dpdl_analysis.trace import VIEWS, Trace, UsageError

INCIDENTAL = frozenset("commandLine commit cpu gpu overwrite progress trace workers".split())
"""Settings that do not affect results."""

SEEDS = ("seed", "run")
_SOURCE = ("dataset", "dataDir", "samples", "testFraction")
_DATA = (*_SOURCE, "partition", "nodes")
_PARTS = ("samples", "testSamples", "testFraction", "features", "seed", "run")
"""Settings by which runs on datasets of the same name may have different examples."""
DRAWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("first models", ("model", "features", "init")),
    ("data at the nodes", _DATA),
    ("batches", (*_DATA, "sampler", "batchSize")),
    ("noise", ("model", "features", "noiseSource")),
    ("losses of the same cause", ("topology", "nodes", "network", "transport", "chunk")),
)
"""Kinds of random draws, and the settings that must be equal for both runs to have equal draws."""

CLOCK = "simulated_seconds"


@dataclass(frozen=True)
class Setting:
    """A setting with its values in both runs, which differ; None: the run does not have it."""

    name: str
    base: str | None
    variant: str | None


@dataclass(frozen=True)
class Draw:
    """One kind of random draws: `common` if equal in both runs, else `why` has the reason."""

    what: str
    common: bool
    why: str


@dataclass(frozen=True)
class Parting:
    """First differences, bit by bit, between the evaluations of two runs. `learning` is the first
    evaluated round in which accuracy, loss or models differ, `clock` that in which the simulated
    time differs; None: no round. `rounds` counts the rounds evaluated in both."""

    learning: int | None
    clock: int | None
    rounds: int


def check_comparable(base: Trace, variant: Trace) -> None:
    """Raises UsageError if the runs differ in the version of the trace schema or in their data."""
    named = _unequal(base, variant, ("dataset",))
    if (same := _same_examples(base, variant)) is False and not _unequal(base, variant, _PARTS):
        named = named or _unequal(base, variant, ("datasetDigest",))
    one, other = base.schema_version(), variant.schema_version()
    differs = f"trace schema {one} and {other}" if one != other else "" if same else named
    if differs:
        raise UsageError(f"{base.path} and {variant.path} have {differs}; accepted are two runs "
                         "of one schema, on one dataset")


def differing_settings(base: Trace, variant: Trace) -> list[Setting]:
    """Settings that differ and affect results, options before ns-3 attributes."""
    names = [*base.settings, *(name for name in variant.settings if name not in base.settings)]
    found = [
        Setting(name, base.setting(name), variant.setting(name))
        for name in names
        if name not in INCIDENTAL and base.setting(name) != variant.setting(name)
    ]
    files = [dict(trace.rows("SELECT name, value FROM origin WHERE name LIKE 'file %'"))
             if trace.has("origin") else {} for trace in (base, variant)]
    found += [Setting(f"digest of {name}", one, files[1][name])
              for name, one in files[0].items() if one != files[1].get(name, one)]
    return sorted(found, key=lambda setting: setting.name.startswith("ns3::"))


def draws(base: Trace, variant: Trace) -> list[Draw]:
    """Each kind of random draws, with a mark whether both runs share it."""
    found = []
    for what, names in DRAWS:
        why = _unequal(base, variant, SEEDS)
        if not why and what == "noise" and base.setting("noiseSource") == "system":
            why = "noiseSource system"
        same = _SOURCE if _same_examples(base, variant) else ()
        why = why or _unequal(base, variant, tuple(name for name in names if name not in same))
        found.append(Draw(what, not why, why))
    return found


def _same_examples(base: Trace, variant: Trace) -> bool | None:
    """True if the digests of the runs' examples are equal; None if a trace has no digest."""
    digests = {trace.setting("datasetDigest") for trace in (base, variant)}
    return None if None in digests else len(digests) == 1


def _unequal(base: Trace, variant: Trace, names: tuple[str, ...]) -> str:
    """Text with the names and both values of the settings in `names` that differ; "" if none."""
    return ", ".join(
        f"{name} {base.setting(name) or '-'} and {variant.setting(name) or '-'}"
        for name in names
        if base.setting(name) != variant.setting(name)
    )


def parting(base: Trace, variant: Trace) -> Parting:
    """Compares both runs by view accuracy_by_round."""
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
