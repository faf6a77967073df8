# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What receivers read of compressed messages, from doc/compression.md and doc/formats/message.md.

A few coordinates hang on a comparison that rounding may decide either way. Each function gives two
vectors, which differ in these: what is read as it computes, and if all of them went the other way.
"""

from functools import lru_cache

import numpy as np

COMPRESSION = 18  # the purpose of these coins
BLOCK = 256

Read = tuple[np.ndarray, np.ndarray]


def philox(counter: np.ndarray, key: tuple[int, int]) -> np.ndarray:
    """Philox4x32-10 (Salmon et al., SC 2011) of counters [n, 4]."""
    c = [counter[:, i].astype(np.uint64) for i in range(4)]
    k0, k1 = key
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [
            (p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k0),
            p1 & low,
            (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k1),
            p0 & low,
        ]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack(c, axis=1)


@lru_cache(maxsize=64)
def coins(seed: tuple[int, int], node: int, rnd: int, count: int) -> np.ndarray:
    """Uniform numbers in (0, 1), one for each parameter of a message."""
    blocks = -(-count // 4)
    counter = np.zeros((blocks, 4), np.uint32)
    counter[:, 0] = np.arange(blocks)
    counter[:, 1], counter[:, 2], counter[:, 3] = COMPRESSION << 16, node, rnd
    return (philox(counter, seed).ravel()[:count] + 0.5) / 2**32


def quantize(bits: int, values: np.ndarray, u: np.ndarray, error: float) -> Read:
    """Levels by subtractive dither, for values that are known but for an error."""
    levels, count = 2**bits, len(values)
    padding = (0, -count % BLOCK)
    values, u = (np.pad(row, padding).reshape(-1, BLOCK) for row in (values, u))
    width = 2 * np.abs(values).max(axis=1, keepdims=True) / (levels - 2)
    empty, width = width == 0, np.where(width == 0, 1.0, width)
    place = values / width + (levels - 1) / 2 + u
    number, nearest = np.floor(place), np.round(place)
    across = np.where(number == nearest, number - 1, nearest)
    close = np.abs(place - nearest) < error / width
    middle = (levels - 1) / 2 + u - 0.5
    read, other = (np.where(empty, 0.0, width * (level - middle)).ravel()[:count]
                   for level in (number, np.where(close, across, number)))
    return read, other


def top_k(part: float, values: np.ndarray, error: float) -> Read:
    """The largest values, and zeros."""
    kept = int(np.ceil(part * len(values)))
    size = np.abs(values)
    order = np.argsort(-size, kind="stable")
    passes = np.zeros(len(values), bool)
    passes[order[:kept]] = True
    least, next_one = size[order[kept - 1 : kept + 1]]
    # Either may pass where the last that does and the first that does not are as good as equal.
    close = (np.abs(size - least) < error) & (least - next_one < error)
    return np.where(passes, values, 0.0), np.where(passes ^ close, values, 0.0)


@lru_cache(maxsize=64)
def chosen(part: float, coins_of_all: bytes) -> np.ndarray:
    """Which values the coins choose, one after another."""
    u = np.frombuffer(coins_of_all).tolist()
    left = int(np.ceil(part * len(u)))
    passes = np.zeros(len(u), bool)
    for place, coin in enumerate(u):
        if coin * (len(u) - place) < left:
            passes[place] = True
            left -= 1
    return passes


def random_k(part: float, values: np.ndarray, u: np.ndarray) -> Read:
    """Values that the coins choose, and zeros."""
    read = np.where(chosen(part, u.tobytes()), values, 0.0)
    return read, read


def compress(how: str, values: np.ndarray, u: np.ndarray, error: float) -> Read:
    """What the option `compress` names."""
    kind, number = how.split(":")
    if kind == "quantize":
        return quantize(int(number), values, u, error)
    if kind == "top-k":
        return top_k(float(number), values, error)
    return random_k(float(number), values, u)
