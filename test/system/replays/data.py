# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The nodes' examples."""

import gzip
from functools import lru_cache
from pathlib import Path

import numpy as np

FOLDER = Path("/usr/share/datasets/fashion-mnist")
PIXELS, CLASSES = 784, 10


@lru_cache
def images(prefix: str, count: int) -> np.ndarray:
    """The first images of a file, [count, PIXELS] bytes."""
    with gzip.open(FOLDER / f"{prefix}-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(16 + count * PIXELS), np.uint8, offset=16)
    return pixels.reshape(count, PIXELS)


@lru_cache
def labels(prefix: str, count: int) -> np.ndarray:
    """Their labels, [count] bytes."""
    with gzip.open(FOLDER / f"{prefix}-labels-idx1-ubyte.gz") as file:
        return np.frombuffer(file.read(8 + count), np.uint8, offset=8)


class Examples:
    """The first examples of the training set, in contiguous parts of equal size."""

    def __init__(self, count: int, nodes: int) -> None:
        pixels = images("train", count).reshape(nodes, -1, PIXELS)
        self.images = (pixels.astype(np.float32) / np.float32(255)).astype(float)
        self.labels = labels("train", count).reshape(nodes, -1)
        self.per_node = count // nodes
