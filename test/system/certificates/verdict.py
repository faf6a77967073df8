# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the certificates of a run against lower bounds from its noise."""

import math
from dataclasses import dataclass, field

from .cases import Case
from .evidence import (
    SURE,
    Sizes,
    Trace,
    Vector,
    missing_noise,
    repeated_noise,
    wrong_batches,
    wrong_sizes,
)
from .mechanisms import Release, epsilon_of


@dataclass
class Margin:
    """A finite certificate and what was shown against it."""

    family: str
    certified: float
    lower: float
    is_tight: bool  # the lower bound has to be close: the accountant and the bound are


@dataclass
class Verdict:
    """What a run's trace says of its certificates."""

    problems: list[str] = field(default_factory=list)
    margins: list[Margin] = field(default_factory=list)
    infinite: list[str] = field(default_factory=list)  # reasons
    vectors: int = 0


def _releases(case: Case, vectors: list[Vector], scale: float, local: int) -> list[Release]:
    iterations = case.rules.iterations(case.hyper)
    return [
        Release(
            clip=case.shape(one.round)[0],
            noise=scale * case.shape(one.round)[1],
            kind=case.rules.kind,
            is_batch=case.rules.is_batch,
            sampler=case.sampler,
            batch=case.batch,
            local=local,
            draw=one.round * iterations + one.iteration,
            adjacency=case.adjacency,
        )
        for one in vectors
    ]


def _must_be_infinite(case: Case) -> bool:
    rules = case.rules
    sound = rules.certifiable if case.mode == "sound" else rules.paper_certifiable
    return not (case.noisy and sound)


def _is_tight(case: Case, releases: list[Release]) -> bool:
    """Whether the accountant and the lower bound are both known to be close to the truth."""
    if case.accountant not in ("pld", "gdp") or releases[0].rate < 1 and case.carries:
        return False
    if case.sampler in ("fixed", "shuffle"):
        return False
    if releases[0].is_batch and releases[0].local == 1:
        return False  # the search has no second example, which could push the batch the other way
    return case.sampler == "full" or not case.rules.is_batch


class _Judge:
    def __init__(self, case: Case, trace: Trace, local: list[int]) -> None:
        self.case, self.trace, self.local = case, trace, local
        self.noisy = case.shared if case.rules.is_batch else case.model.parameters
        self.verdict = Verdict(vectors=len(trace.vectors))

    def run(self) -> Verdict:
        case, trace, problems = self.case, self.trace, self.verdict.problems
        if _must_be_infinite(case):
            finite = [i for i, e in trace.certified.items() if math.isfinite(e) and self.steps(i)]
            problems += [f"node {i}: certified {trace.certified[i]}, not infinite" for i in finite]
            self.verdict.infinite += ["no protection"] * (len(trace.certified) - len(finite))
            return self.verdict
        problems += missing_noise(case, trace)
        problems += repeated_noise(trace.vectors, self.noisy)
        best: dict[tuple, tuple[float, int]] = {}
        sizes: dict[int, Sizes] = {}
        for node, certified in sorted(trace.certified.items()):
            vectors = trace.of(node)
            if not vectors:
                continue
            problems += wrong_batches(case, trace, node, self.local[node])
            sizes[node], wrong = wrong_sizes(case, vectors, self.noisy)
            problems += wrong
            if math.isinf(certified):
                self.verdict.infinite.append(trace.reasons[node])
            elif not wrong or sizes[node].scale() == 0:
                draws = tuple((one.round, one.iteration) for one in vectors)
                group = (certified, self.local[node], draws)
                best[group] = min(best.get(group, (math.inf, 0)), (sizes[node].scale(SURE), node))
        for (certified, _, _), (scale, node) in best.items():
            self.compare(node, scale, certified)
        if best and len(trace.growth) > 1:
            self.compare_growth(max(best.items())[1])
        return self.verdict

    def steps(self, node: int) -> bool:
        """Whether the node took a step with its data."""
        return any(i == node and batch > 0 for (_, i), (_, batch) in self.trace.steps.items())

    def lower(self, vectors: list[Vector], scale: float, against: float) -> float:
        releases = _releases(self.case, vectors, scale, self.local[vectors[0].node])
        return epsilon_of(releases, self.case.delta, max(against, 1e-6), self.case.carries)

    def compare(self, node: int, scale: float, certified: float) -> None:
        case, vectors = self.case, self.trace.of(node)
        if math.isinf(scale):
            lower = 0.0  # too few values to say anything
        else:
            lower = self.lower(vectors, scale, certified)
        tight = vectors[0].values.size > 1000 and _is_tight(
            case, _releases(case, vectors, scale, self.local[node])
        )
        self.verdict.margins.append(Margin(case.rules.family, certified, lower, tight))
        if lower > certified:
            self.verdict.problems.append(
                f"node {node}: certified {certified:.6g}, at least {lower:.6g} was released"
            )
        if tight and lower < 0.85 * certified and certified > 0.05:
            self.verdict.problems.append(
                f"node {node}: certified {certified:.6g}, only {lower:.6g} found: a weak search"
            )

    def compare_growth(self, best: tuple[float, int]) -> None:
        """The certificate in the middle of the run."""
        if any("crash" in option for option in self.case.options):
            return  # a row holds the releases so far, and a node that was down makes its own later
        scale, node = best
        rounds, certified = self.trace.growth[len(self.trace.growth) // 2 - 1]
        vectors = [one for one in self.trace.of(node) if one.round < rounds]
        if vectors and math.isfinite(scale) and math.isfinite(certified):
            lower = self.lower(vectors, scale, certified)
            if lower > certified:
                self.verdict.problems.append(
                    f"after {rounds} rounds: certified {certified:.6g}, at least {lower:.6g} of "
                    f"node {node} was released"
                )


def judge(case: Case, trace: Trace, local: list[int]) -> Verdict:
    """All that is wrong with a run. `local`: how many examples each node owns."""
    return _Judge(case, trace, local).run()
