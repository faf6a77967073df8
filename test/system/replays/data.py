# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The nodes' examples, and gradients of softmax regression with every rule of clipping."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

FOLDER = Path("/usr/share/datasets/fashion-mnist")
PIXELS, CLASSES = 784, 10


class Examples:
    """The first examples of the training set, in contiguous parts of equal size."""

    def __init__(self, count: int, nodes: int) -> None:
        with gzip.open(FOLDER / "train-images-idx3-ubyte.gz") as file:
            pixels = np.frombuffer(file.read(16 + count * PIXELS), np.uint8, offset=16)
        with gzip.open(FOLDER / "train-labels-idx1-ubyte.gz") as file:
            labels = np.frombuffer(file.read(8 + count), np.uint8, offset=8)
        images = pixels.reshape(nodes, -1, PIXELS).astype(np.float32) / np.float32(255)
        self.images = images.astype(float)
        self.labels = labels.reshape(nodes, -1)
        self.per_node = count // nodes

    def softmax_factors(self, i: int, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Factors of node i's per-example gradients at z: example b's is delta[b] (x) input[b].

        An input ends with the 1 of the bias.
        """
        weights, bias = z[: CLASSES * PIXELS].reshape(CLASSES, PIXELS), z[CLASSES * PIXELS :]
        scores = self.images[i] @ weights.T + bias
        scores -= scores.max(axis=1, keepdims=True)
        delta = np.exp(scores)
        delta /= delta.sum(axis=1, keepdims=True)
        delta[np.arange(self.per_node), self.labels[i]] -= 1
        return delta, np.hstack([self.images[i], np.ones((self.per_node, 1))])


def flat(weights: np.ndarray) -> np.ndarray:
    """A matrix [CLASSES, PIXELS + 1] in the order of the model's parameters."""
    return np.concatenate([weights[:, :PIXELS].ravel(), weights[:, PIXELS]])


def norm_of(values: np.ndarray, order: int) -> np.ndarray:
    """Norms of rows: order 1 or 2."""
    return np.linalg.norm(values, ord=order, axis=1)


def clipped_sum(delta: np.ndarray, inputs: np.ndarray, clip: float, order: int = 2) -> np.ndarray:
    """Sum of per-example gradients, each scaled to a norm of at most clip."""
    norms = norm_of(delta, order) * norm_of(inputs, order)
    factors = np.minimum(1, clip / np.maximum(norms, 1e-300))
    return flat((delta * factors[:, None]).T @ inputs)
