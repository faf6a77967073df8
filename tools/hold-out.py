#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Splits the training images of Fashion-MNIST: the first 50,000 train, the last 10,000 test.

Hyperparameters are tuned on these 10,000 images, so that the dataset's test images stay unseen.

usage: hold-out.py [held-out.npz]
"""

import gzip
import sys

import numpy as np

FOLDER = "/usr/share/datasets/fashion-mnist"
TRAINING = 50_000


def read(name: str, header: int) -> np.ndarray:
    """Returns the values of a training file in IDX format, one per byte, after `header` bytes."""
    with gzip.open(f"{FOLDER}/train-{name}-ubyte.gz") as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


images, labels = read("images-idx3", 16).reshape(-1, 1, 28, 28), read("labels-idx1", 8)
np.savez_compressed(
    sys.argv[1] if len(sys.argv) > 1 else "held-out.npz",
    x_train=images[:TRAINING], y_train=labels[:TRAINING].astype(np.int64),
    x_test=images[TRAINING:], y_test=labels[TRAINING:].astype(np.int64),
)
