# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the noise vectors of a trace show: that there is one for each step, how large the noise was
drawn, on which parameters, and that none was drawn twice.

Each test is passed by sound noise but for a probability of about 1e-9: six standard errors or more.
"""

import math
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .cases import Case
from .lower_bound import laplace_cdf, normal_cdf

SURE = 5.5  # standard errors of a bound on the deviation: wrong with a probability of 2e-8
STRANGE = 6.5  # standard errors that no vector may be off
KS_LIMIT = 3.3  # of the distance times sqrt(n), exceeded with a probability of 2 e^(-2 * 3.3^2)


@dataclass
class Vector:
    """The noise of one release."""

    node: int
    round: int
    iteration: int
    values: np.ndarray


@dataclass
class Trace:
    """What is read of a run. The release table is not: it is on trial."""

    certified: dict[int, float]
    reasons: dict[int, str]
    stopped: dict[int, int]
    growth: list[tuple[int, float]]  # rounds done, certified_max
    vectors: list[Vector]
    steps: dict[tuple[int, int], tuple[float, int]]  # (round, node) -> weight, batch
    settings: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def read(path: Path) -> "Trace":
        with closing(sqlite3.connect(path)) as file:
            guarantees = file.execute(
                "SELECT node, certified, reason, stopped_in_round FROM guarantee_by_node"
            ).fetchall()
            noise = file.execute(
                "SELECT node, round, iteration, noise FROM noise_by_round ORDER BY 2, 1, 3"
            )
            vectors = [
                Vector(i, k, it, np.frombuffer(blob, "<f4").astype(float))
                for i, k, it, blob in noise
            ]
            # By position: round, node, weight, examples in the batch.
            steps = (row[:4] for row in file.execute("SELECT * FROM round_by_node"))
            return Trace(
                {i: certified for i, certified, _, _ in guarantees},
                {i: reason for i, _, reason, _ in guarantees},
                {i: k for i, _, _, k in guarantees if k is not None},
                file.execute("SELECT round, certified_max FROM guarantee_by_round").fetchall(),
                vectors,
                {(k, i): (w, batch) for k, i, w, batch in steps},
                dict(file.execute("SELECT name, value FROM settings")),
            )

    def of(self, node: int) -> list[Vector]:
        return [one for one in self.vectors if one.node == node]


def chi_square_quantile(freedom: float, z: float) -> float:
    """The value z standard errors from the middle (Wilson and Hilferty, 1931); at least 0."""
    part = 2 / (9 * freedom)
    return freedom * max(0.0, 1 - part + z * math.sqrt(part)) ** 3


@dataclass
class Sizes:
    """Noise vectors in units of the schedule: one scale fits all of them."""

    values: np.ndarray  # [vectors, noisy parameters]
    kind: str

    def total(self, values: np.ndarray) -> tuple[float, float]:
        """A sum that is chi-square distributed in units of the scale, and its freedom."""
        if self.kind == "laplace":
            return 2 * float(np.abs(values).sum()), 2.0 * values.size
        return float((values**2).sum()), float(values.size)

    def scale(self, z: float = 0.0) -> float:
        """The scale by maximum likelihood, or a bound that is z standard errors above it."""
        total, freedom = self.total(self.values)
        quantile = chi_square_quantile(freedom, -z) if z else freedom
        if quantile == 0.0:
            return math.inf if total > 0 else 0.0
        return total / quantile if self.kind == "laplace" else math.sqrt(total / quantile)

    def oddity(self, values: np.ndarray) -> float:
        """By how many standard errors a part of the vectors is larger than all."""
        whole, whole_freedom = self.total(self.values)
        part, freedom = self.total(values)
        if whole == 0:
            return 0.0
        spread = 2 / (9 * freedom)
        ratio = part / freedom / (whole / whole_freedom)
        return (ratio ** (1 / 3) - (1 - spread)) / math.sqrt(spread)

    def distance(self) -> float:
        """Kolmogorov's and Smirnov's distance from the distribution, times sqrt(n)."""
        u = np.sort(self.values.ravel() / self.scale())
        ranks = (laplace_cdf if self.kind == "laplace" else normal_cdf)(u)
        n = len(u)
        steps = np.arange(n + 1) / n
        return math.sqrt(n) * max((steps[1:] - ranks).max(), (ranks - steps[:-1]).max())


def blocks(count: int) -> list[slice]:
    """Parts of a vector that an error of indices would leave out or treat otherwise."""
    cuts = {0, count // 4, count // 2, 3 * count // 4, count - count % 16, count - 1, count}
    edges = sorted(cuts)
    return [slice(a, b) for a, b in zip(edges, edges[1:])] + [slice(0, 1)]


def missing_noise(case: Case, trace: Trace) -> list[str]:
    """Steps that left no noise vector, or too few."""
    wanted = case.rules.iterations(case.hyper)
    found: dict[tuple[int, int], int] = {}
    for one in trace.vectors:
        found[one.round, one.node] = found.get((one.round, one.node), 0) + 1
    problems = []
    for (k, i), (weight, batch) in trace.steps.items():
        steps = weight > 0 and k < trace.stopped.get(i, case.rounds) and k < case.rounds
        if (steps or batch > 0) and found.get((k, i), 0) != wanted:
            problems.append(f"node {i}, round {k}: {found.get((k, i), 0)} noise vectors")
    return problems


def repeated_noise(vectors: list[Vector], noisy: int) -> list[str]:
    """Vectors that point the same way, or share a part."""
    vectors = [one for one in vectors if np.isfinite(one.values).all()]
    if len(vectors) < 2:
        return []
    matrix = np.array([one.values[:noisy] for one in vectors])
    norms = np.linalg.norm(matrix, axis=1)
    matrix /= np.where(norms > 0, norms, 1.0)[:, None]
    alike = np.abs(np.triu(matrix @ matrix.T, 1))
    limit = min((STRANGE + 0.5) / math.sqrt(noisy), 1 - 1e-6)
    return [
        f"noise of node {vectors[a].node}, round {vectors[a].round}.{vectors[a].iteration} and of "
        f"node {vectors[b].node}, round {vectors[b].round}.{vectors[b].iteration}: "
        f"correlation {alike[a, b]:.3g}"
        for a, b in np.argwhere(alike > limit)
    ]


def wrong_sizes(case: Case, vectors: list[Vector], noisy: int) -> tuple[Sizes, list[str]]:
    """The noise of one node, and where it does not follow the schedule."""
    scaled = [one.values[:noisy] / case.shape(one.round)[1] for one in vectors]
    sizes = Sizes(np.array(scaled), case.rules.kind)
    node = f"node {vectors[0].node}"
    if not np.isfinite(sizes.values).all():
        return sizes, [f"{node}: noise that is not finite"]
    problems = []
    silent = int((~sizes.values.any(axis=0)).sum())
    if silent > 0:
        problems.append(f"{node}: {silent} parameters without noise")
    for one, values in zip(vectors, sizes.values):
        odd = sizes.oddity(values)
        if abs(odd) > STRANGE:
            problems.append(f"{node}, round {one.round}.{one.iteration}: noise off by {odd:.1f} se")
    for part in blocks(noisy):
        odd = sizes.oddity(sizes.values[:, part])
        if abs(odd) > STRANGE:
            problems.append(f"{node}, parameters {part.start}-{part.stop}: off by {odd:.1f} se")
    if sizes.values.size >= 100 and not problems and sizes.distance() > KS_LIMIT:
        problems.append(f"{node}: distance {sizes.distance():.2f} from {case.rules.kind} noise")
    return sizes, problems


def wrong_batches(case: Case, trace: Trace, node: int, local: int) -> list[str]:
    """Batches that the sampler of the options would not draw."""
    counted = int(case.hyper.get(case.rules.passes, 1))
    draws = counted * case.rules.iterations(case.hyper)
    rounds = {one.round for one in trace.of(node)}
    sizes = [b for (k, i), (_, b) in trace.steps.items() if i == node and k in rounds]
    if case.sampler != "poisson":
        size = local if case.sampler == "full" else case.batch
        wrong = [b for b in sizes if b != draws * size]
        return [f"node {node}: a batch of {wrong[0]}, not {draws * size}"] if wrong else []
    q = case.batch / local
    trials = len(sizes) * (draws // counted) * local
    off = abs(sum(sizes) / counted - trials * q)
    if off > STRANGE * math.sqrt(trials * q * (1 - q)) + STRANGE**2 / 3 * (q < 1):
        return [f"node {node}: batches of {sum(sizes)} in all, not about {counted * trials * q}"]
    return []
