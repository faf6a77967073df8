# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The nodes' examples."""

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
