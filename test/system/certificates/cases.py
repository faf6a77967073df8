# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random options of `learn`: case number k of a seed is always the same."""

from dataclasses import dataclass, field

import numpy as np

from .schedules import ALGORITHMS, MODELS, Algorithm, Hyper, Model

ROUND_SECONDS = 0.02  # about what a round of these runs takes in simulated time


@dataclass
class Case:
    """A run, and what its certificate has to be held against."""

    number: int
    algorithm: str
    mode: str
    model: Model
    nodes: int
    local: int  # examples of each node; 0: they differ
    rounds: int
    sampler: str
    batch: int
    adjacency: str
    accountant: str
    clip: float
    delta: float
    parts: int  # leading parts that travel, 0: as the algorithm has it
    noisy: bool
    hyper: Hyper
    clips: list[tuple[int, float, float]]  # scheduleFile: from round, clip bound, noise
    options: list[str] = field(default_factory=list)  # all of the command line but the trace
    files: dict[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> Algorithm:
        return ALGORITHMS[self.algorithm]

    @property
    def shared(self) -> int:
        """Parameters that travel."""
        parts = self.parts or int(self.hyper.get("sharedLayers", self.rules.keeps_part))
        return self.model.shared(parts)

    @property
    def carries(self) -> bool:
        """Whether a part of the model is trained without protection."""
        everywhere = self.algorithm == "fed-dpa"
        return everywhere or (self.rules.is_batch and self.shared < self.model.parameters)

    def shape(self, k: int) -> tuple[float, float]:
        """Clip bound of round k, and the noise's scale in units that are the same in all rounds."""
        for begin, clip, noise in reversed(self.clips):
            if begin <= k:
                return clip, noise
        clip, noise = self.rules.shape(self.hyper, k, self.rounds)
        return self.clip * clip, noise


class Draws:
    """A generator with a few words for what cases need."""

    def __init__(self, *seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def chance(self, probability: float) -> bool:
        return bool(self._random.random() < probability)

    def whole(self, low: int, high: int) -> int:
        return int(self._random.integers(low, high + 1))

    def log(self, low: float, high: float) -> float:
        return float(f"{np.exp(self._random.uniform(np.log(low), np.log(high))):.4g}")

    def one_of(self, *values):
        return values[self._random.integers(len(values))]

    def often(self, first, *others, probability: float = 0.6):
        """The first value mostly, else one of the others."""
        return first if self.chance(probability) else self.one_of(*others)


def _hyper(draws: Draws, algorithm: str) -> Hyper:
    """Hyper-parameters that differ from their defaults."""
    ranges = {
        "adp-vrsgp": {
            "tau": draws.whole(1, 6),
            "noisePower": draws.log(0.05, 2),
            "psi": draws.log(0.5, 1),
            "sdlr": draws.whole(0, 1),
        },
        "clip-d2p": {"noiseMultiplier": draws.log(0.3, 10)},
        "dfedsam": {"iterations": draws.whole(1, 4)},
        "dyn-d2p": {"clipDecay": draws.log(1, 10), "muGrowth": draws.log(1, 5)},
        "fed-an": {"decay": draws.log(0.1, 5)},
        "fed-cdp": {"iterations": draws.whole(1, 4)},
        "fed-dpa": {"passes": draws.whole(1, 3)},
        "mapa": {"stages": draws.whole(1, 6)},
        "momentum-d2p": {"momentum": draws.log(0.1, 0.95)},
        "ppsgd": {"sharedLayers": draws.whole(1, 3)},
    }
    ranges["dyn-c-d2p"] = {"clipDecay": ranges["dyn-d2p"]["clipDecay"]}
    ranges["dyn-mu-d2p"] = {"muGrowth": ranges["dyn-d2p"]["muGrowth"]}
    few_iterations = algorithm in ("dfedsam", "fed-cdp")
    return ranges.get(algorithm, {}) if few_iterations or draws.chance(0.6) else {}


def _accountant(draws: Draws, case: Case, source: str) -> str:
    if source == "discrete-gaussian":
        return draws.one_of("rdp", "rdp", "zcdp") if case.sampler == "full" else "rdp"
    unsampled = case.sampler in ("full", "shuffle") or case.carries
    if case.rules.kind == "laplace":
        return draws.one_of("pld", "rdp", *(("basic", "optimal-composition", "advanced") if unsampled else ()))
    return draws.one_of("pld", "pld", "rdp", *(("gdp", "zcdp") if unsampled else ()))


def _privacy(draws: Draws, case: Case) -> list[str]:
    source = draws.often("philox", "system", "discrete-gaussian", probability=0.7)
    if case.rules.kind == "laplace" or case.algorithm == "ada-d2p":
        source = ""
    case.accountant = _accountant(draws, case, source)
    epsilon = draws.log(0.1, 20)
    target = f"{epsilon}"
    if draws.chance(0.2):
        target = f"range:{epsilon}..{4 * epsilon:.4g}"
    elif draws.chance(0.15):
        rows = "".join(f"{node},{draws.log(0.1, 20)}\n" for node in range(case.nodes))
        case.files["budgets.csv"] = "node,epsilon\n" + rows
        target = "file:budgets.csv"
    options = [f"--epsilon={target}", f"--delta={case.delta}", f"--accountant={case.accountant}"]
    if source:
        options.append(f"--noiseSource={source}")
    if draws.chance(0.2) and case.noisy and case.mode == "sound" and case.rules.certifiable:
        options.append(f"--stopAt={draws.log(0.3 * epsilon, 1.5 * epsilon)}")
    if not case.noisy:
        options.append("--noise=off")
    return options


def _failures(draws: Draws, case: Case) -> list[str]:
    def link() -> str:
        a = draws.whole(0, case.nodes - 1)
        return f"{a}->{(a + draws.whole(1, case.nodes - 1)) % case.nodes}"

    def time(low: float, high: float) -> str:
        return f"{1000 * ROUND_SECONDS * case.rounds * draws.log(low, high):.3g}ms"

    def event() -> str:
        node, begin = draws.whole(0, case.nodes - 1), time(0.02, 0.8)
        return draws.one_of(
            f"node {node} crash {draws.one_of('with', 'without')} state at {begin} recover 5s",
            f"node {node} crash {draws.one_of('with', 'without')} state at {begin}",
            f"random node * crash mean-up={time(0.3, 1)} mean-down={time(0.05, 0.2)} "
            f"{draws.one_of('with', 'without')} state",
            f"node {node} pause at {begin} for {time(0.05, 0.5)}",
            f"node {node} slow 4x at {begin} for {time(0.05, 0.5)}",
            f"link {link()} down at {begin} for {time(0.05, 0.5)}",
            f"link {link()} gilbert-elliott p=0.2 r=0.4 bad=0.9",
            f"link * loss 0.3 at {begin} for {time(0.05, 0.5)}",
        )

    return [f"--fail={event()}" for _ in range(draws.whole(1, 2))]


def _network(draws: Draws, case: Case) -> list[str]:
    network = draws.often("ideal", "message", "message", "message", "packet", probability=0.4)
    topology = draws.one_of("exponential", "ring", "complete", "out-degree:2", "random:0.7")
    if case.algorithm in ("d-psgd", "pedfl"):
        topology = draws.one_of("ring", "complete")
    if case.algorithm == "a-dp2-sgd":
        topology = draws.one_of("pairwise", "exponential")
    options = [f"--network={network}", f"--topology={topology}"]
    lossy = network == "message" and draws.chance(0.5)
    if lossy:
        options.append(f"--drop={draws.log(0.02, 0.4)}")
    if network != "ideal" and draws.chance(0.3):
        options += _failures(draws, case)
    if network == "message" and draws.chance(0.6):
        policy = draws.one_of("refund", "running-sum", "reliable", "renormalise")
        options.append(f"--lossPolicy={policy}")
    if draws.chance(0.3):
        options.append(f"--chunk={4 * draws.whole(1, max(1, case.shared // 3))}")
    if draws.chance(0.2):
        options += ["--schedule=asynchronous", f"--staleness={draws.whole(0, 3)}"]
        options.append("--compute=fixed:10ms:heterogeneous=3")
    if network == "message" and draws.chance(0.15):
        options.append(f"--deadline={draws.whole(12, 60)}ms")
    return options


def _learning(draws: Draws, case: Case) -> list[str]:
    engine = draws.often("auto", "libtorch", "libtorch-loop", probability=0.75)
    options = [
        f"--algorithm={case.algorithm}",
        f"--mode={case.mode}",
        f"--dataset={case.model.dataset}",
        f"--model={case.model.name}",
        f"--nodes={case.nodes}",
        f"--samples={case.nodes * (case.local or 12)}",
        f"--rounds={case.rounds}",
        f"--sampler={case.sampler}",
        f"--adjacency={case.adjacency}",
        f"--stepSize={draws.log(1e-3, 3) if draws.chance(0.97) else 1e30}",
        f"--ns3::DpdlApplication::Engine={engine}",
        f"--payload={draws.often('handle', 'bytes', probability=0.8)}",
        f"--workers={draws.whole(1, 2)}",
        f"--seed={draws.whole(1, 999)}",
        f"--run={draws.whole(1, 9)}",
    ]
    if case.sampler != "full":
        options.append(f"--batchSize={case.batch}")
    if case.parts:
        options.append(f"--sharedLayers={case.parts}")
    if case.local == 0:
        options.append("--partition=dirichlet:5")
    elif case.model.dataset == "blobs":
        kind = draws.one_of("even", "contiguous", "by-class:1")
        options.append(f"--partition={kind}")
    if case.rules.certifiable and not case.clips:
        options.append(f"--clip={case.clip}")
    if case.hyper:
        options.append("--hyper=" + ",".join(f"{k}={v}" for k, v in case.hyper.items()))
    return options


def make_case(seed: int, number: int) -> Case:
    """Case number `number`."""
    draws = Draws(seed, number)
    nothing = [name for name, one in ALGORITHMS.items() if not one.certifiable]
    private = [name for name, one in ALGORITHMS.items() if one.certifiable]
    algorithm = draws.one_of(*(private if draws.chance(0.95) else nothing))
    rules = ALGORITHMS[algorithm]
    model = draws.often(MODELS[0], *MODELS[1:], probability=0.4)
    local = draws.whole(1, 20) if draws.chance(0.93) else 0
    multi = len(model.parts) > 1
    case = Case(
        number=number,
        algorithm=algorithm,
        mode=draws.often("sound", "paper", probability=0.85),
        model=model,
        nodes=draws.whole(2, 5),
        local=local,
        rounds=draws.whole(2, 10) if model.parameters > 100 else draws.whole(10, 30),
        sampler=draws.often("poisson", "fixed", "shuffle", "full", probability=0.4),
        batch=draws.whole(1, local or 2),
        adjacency=draws.often("add-remove", "replace", probability=0.6),
        accountant="",
        clip=draws.log(0.01, 100) if draws.chance(0.95) else draws.log(1e-30, 1e30),
        delta=draws.log(1e-8, 1e-3),
        parts=draws.whole(1, len(model.parts)) if multi and draws.chance(0.4) else 0,
        noisy=draws.chance(0.96),
        hyper=_hyper(draws, algorithm),
        clips=[],
    )
    if algorithm == "dyn-d2p-general" and draws.chance(0.7):
        rows = [(0, draws.log(0.1, 10), draws.log(0.3, 3))]
        rows += [(draws.whole(1, case.rounds - 1), draws.log(0.1, 10), draws.log(0.3, 3))]
        case.clips = rows
        text = "".join(f"{k},{clip},{noise}\n" for k, clip, noise in rows)
        case.files["clips.csv"] = "round,clip,noise\n" + text
    if len(model.parts) < 2 and "sharedLayers" in case.hyper:
        case.hyper["sharedLayers"] = 1
    case.options = _learning(draws, case) + _privacy(draws, case) + _network(draws, case)
    if case.clips:
        case.options.append("--scheduleFile=clips.csv")
    case.hyper = {**rules.hyper, **case.hyper}
    return case
