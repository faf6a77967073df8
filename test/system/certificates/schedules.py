# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The algorithms by doc/algorithms.md: what is clipped to what, and how the noise's scale varies."""

from dataclasses import dataclass, field
from typing import Callable

Hyper = dict[str, float]
# (hyper-parameters, round, rounds) -> clip bound and noise, as multiples of their first values
Shape = Callable[[Hyper, int, int], tuple[float, float]]


def constant(_hyper: Hyper, _k: int, _rounds: int) -> tuple[float, float]:
    return 1.0, 1.0


def geometric(hyper: Hyper, k: int, rounds: int) -> tuple[float, float]:
    """C_k = C_0 rho_c^(-k/K), mu_k = mu_0 rho_mu^(k/K)."""
    clip = hyper.get("clipDecay", 1.0) ** (-k / rounds)
    return clip, clip * hyper.get("muGrowth", 1.0) ** (-k / rounds)


def stairs(hyper: Hyper, k: int, rounds: int) -> tuple[float, float]:
    """ADP-VRSGP: C_k = C psi^b, noise C_k alpha(K - k), alpha(t) = (floor(t / tau) + 10)^s."""
    tau = int(hyper["tau"])
    power = hyper["noisePower"] if hyper["sdlr"] > 0 else 0.0
    clip = hyper["psi"] ** (rounds // tau - (rounds - k) // tau)
    return clip, clip * ((rounds - k) // tau + 10) ** power


def stages(hyper: Hyper, k: int, rounds: int) -> tuple[float, float]:
    """MAPA: both halve from stage to stage."""
    half = 0.5 ** (k * int(hyper["stages"]) // rounds)
    return half, half


def falling(hyper: Hyper, k: int, rounds: int) -> tuple[float, float]:
    """FedAN: noise over 1 + d k/K."""
    return 1.0, 1.0 / (1.0 + hyper["decay"] * k / rounds)


@dataclass(frozen=True)
class Algorithm:
    """What decides over the privacy of an algorithm's releases."""

    family: str  # of the table that a search prints
    shape: Shape = constant
    hyper: Hyper = field(default_factory=dict)  # defaults
    is_batch: bool = False  # the batch's mean gradient is clipped as a whole
    kind: str = "gaussian"
    keeps_part: int = 0  # leading parts of the model that travel; 0: all
    carries: bool = False  # nodes train what stays with them without protection
    passes: str = ""  # hyper-parameter that says how often a batch is counted
    certifiable: bool = True  # in mode sound
    paper_certifiable: bool = True

    def iterations(self, hyper: Hyper) -> int:
        """Noisy vectors in a round."""
        return int(hyper.get("iterations", 1))


def _dpps(parts: int = 0) -> Algorithm:
    return Algorithm(
        "DPPS",
        is_batch=True,
        kind="laplace",
        keeps_part=parts,
        carries=parts > 0,
        paper_certifiable=False,
    )


_STAIRS = {"tau": 5.0, "noisePower": 0.2, "psi": 0.99, "sdlr": 1.0}
_NOTHING = {"certifiable": False, "paper_certifiable": False}

ALGORITHMS = {
    "dyn-d2p": Algorithm("Dyn-D2P", geometric, {"clipDecay": 3.0, "muGrowth": 2.0}),
    "dyn-c-d2p": Algorithm("Dyn-D2P", geometric, {"clipDecay": 3.0}),
    "dyn-mu-d2p": Algorithm("Dyn-D2P", geometric, {"muGrowth": 2.0}),
    "const-d2p": Algorithm("Dyn-D2P"),
    "dyn-d2p-general": Algorithm("Dyn-D2P"),
    "clip-d2p": Algorithm("ClipD2P"),
    "adp-vrsgp": Algorithm("ADP-VRSGP", stairs, _STAIRS),
    "a-dp2-sgd": Algorithm("A(DP)2SGD"),
    "mapa": Algorithm("MAPA", stages, {"stages": 4.0}),
    "dfedsam": Algorithm("DFedSAM", hyper={"iterations": 5.0}),
    "fed-cdp": Algorithm("Fed-CDP", hyper={"iterations": 5.0}),
    "fed-an": Algorithm("FedAN", falling, {"decay": 1.0}),
    "momentum-d2p": Algorithm("momentum"),
    "dpps": _dpps(),
    "sgpdp": _dpps(),
    "pedfl": _dpps(),
    "partpsp-1": _dpps(1),
    "partpsp-2": _dpps(2),
    "ppsgd": Algorithm(
        "PPSGD", hyper={"sharedLayers": 1.0}, is_batch=True, keeps_part=1, carries=True
    ),
    "fed-dpa": Algorithm(
        "FedDPA", hyper={"passes": 2.0}, is_batch=True, carries=True, passes="passes"
    ),
    "ada-d2p": Algorithm("AdaD2P", **_NOTHING),
    "const-ada": Algorithm("AdaD2P", **_NOTHING),
    "sgp": Algorithm("not private", **_NOTHING),
    "overlap-sgp": Algorithm("not private", **_NOTHING),
    "d-psgd": Algorithm("not private", **_NOTHING),
}


@dataclass(frozen=True)
class Model:
    """A model on a dataset."""

    dataset: str
    name: str
    parts: tuple[int, ...]  # parameters up to the end of each part

    @property
    def parameters(self) -> int:
        return self.parts[-1]

    def shared(self, parts: int) -> int:
        """Parameters that travel of so many leading parts; 0: all."""
        return self.parts[min(parts, len(self.parts)) - 1]


MODELS = (
    Model("blobs", "softmax-regression", (2570,)),
    Model("blobs", "mlp", (2570, 5386, 7956)),
    Model("blobs", "mlp-1", (2570, 5386, 7956)),
    Model("blobs", "cnn-xs", (208, 538)),
    Model("linear-regression", "linear-regression", (9,)),
    Model("linear-regression", "mlp", (9, 25, 34)),
)
