# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How far one example really moves what nodes send: two runs that differ in one image of node 0.

There is no noise, all batches are full, and one round is made. Mixing keeps the sum of x = w z over
the nodes, so that the difference of these sums is that of node 0's steps.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Callable

import numpy as np

from .cases import Draws
from .schedules import ALGORITHMS, Model

SIDE, CLASSES = 28, 10
STEP = 1e4  # stepSize: the steps are then far larger than the models that they start from

_MODELS = (
    Model("mnist", "softmax-regression", (7850,)),
    Model("mnist", "mlp", (7850, 16474, 24324)),
    Model("mnist", "cnn-xs", (208, 1498)),
)
# One step of size gamma, and next to none of what stays at its node.
_HYPER = {
    "adp-vrsgp": "sdlr=0",
    "dfedsam": "iterations=1",
    "fed-cdp": "iterations=1",
    "partpsp-1": "localStep=0",
    "partpsp-2": "localStep=0",
    "ppsgd": "alpha=1e6",
}


def write_idx(path: Path, values: np.ndarray) -> None:
    """A file of MNIST's format."""
    header = bytes([0, 0, 8, values.ndim]) + np.array(values.shape, ">u4").tobytes()
    path.write_bytes(header + values.astype(np.uint8).tobytes())


def write_images(folder: Path, images: np.ndarray, labels: np.ndarray) -> None:
    """A dataset of which training and test part are the same."""
    folder.mkdir()
    for part in ("train", "t10k"):
        write_idx(folder / f"{part}-images-idx3-ubyte", images)
        write_idx(folder / f"{part}-labels-idx1-ubyte", labels)


def _sum_of_models(path: Path, count: int) -> np.ndarray:
    with closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT w, z FROM snapshot WHERE round = 1").fetchall()
    return sum(w * np.frombuffer(z, "<f4").astype(float)[:count] for w, z in rows)


def moved_too_far(seed: int, number: int, folder: Path, run: Callable[..., None]) -> list[str]:
    """Problems of pair `number`. `run` is given the options of a run, and makes it or raises."""
    draws = Draws(seed, number, 1)
    names = [name for name, one in ALGORITHMS.items() if one.certifiable]
    algorithm, model = draws.one_of(*names), draws.one_of(*_MODELS)
    rules = ALGORITHMS[algorithm]
    nodes, local, clip = draws.whole(2, 4), draws.whole(1, 3 if rules.is_batch else 12), 0.1
    random = np.random.default_rng([seed, number, 2])
    images = random.integers(0, 256, (nodes * local, SIDE, SIDE))
    labels = random.integers(0, CLASSES, nodes * local)
    write_images(folder / "one", images, labels)
    images[0] = random.integers(0, 256, (SIDE, SIDE))
    labels[0] = (labels[0] + draws.whole(1, CLASSES - 1)) % CLASSES
    write_images(folder / "other", images, labels)
    engine = draws.one_of("native", "libtorch", "libtorch-loop")
    options = [
        *(f"--algorithm={algorithm}", "--dataset=mnist", f"--model={model.name}"),
        *(f"--nodes={nodes}", f"--samples={nodes * local}", "--rounds=1", "--sampler=full"),
        *("--partition=contiguous", "--network=ideal", "--noise=off", f"--stepSize={STEP}"),
        *(f"--clip={clip}", "--init=zero" if model.parts[-1] == 7850 else "--init=default"),
        *("--snapshotEvery=1", f"--ns3::DpdlApplication::Engine={engine}"),
    ]
    if algorithm in _HYPER:
        options.append(f"--hyper={_HYPER[algorithm]}")
    sums = []
    count = model.shared(rules.keeps_part)
    for which in ("one", "other"):
        path = folder / f"{which}.db"
        run(*options, f"--dataDir={folder / which}", f"--trace={path}")
        sums.append(_sum_of_models(path, count))
    shift = (sums[1] - sums[0]) / STEP * (1 if rules.is_batch else local)
    norm = np.abs(shift).sum() if rules.kind == "laplace" else np.linalg.norm(shift)
    where = f"{algorithm}, {model.name}, {engine}, {local} examples"
    if not norm <= 2 * clip * (1 + 1e-4):
        return [f"{where}: one example moves the sum by {norm / clip:.6g} C"]
    if not norm > 0.1 * clip:
        return [f"{where}: one example moves the sum by {norm / clip:.3g} C only: a weak search"]
    return []
