# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Per-example gradients of models, and every rule of clipping.

The gradient of one example at a linear layer is an outer product. A model's gradients are therefore
kept as factors, a pair (delta [B, out], input [B, in + 1]) for each layer: example b's gradient is
delta[b] (x) input[b], and an input ends with the 1 of the bias.
"""

import numpy as np

from .data import CLASSES, PIXELS

Factors = list[tuple[np.ndarray, np.ndarray]]


def with_one(values: np.ndarray) -> np.ndarray:
    """Rows with a 1 behind them."""
    return np.hstack([values, np.ones((len(values), 1))])


def layers_of(z: np.ndarray, shapes: list[tuple[int, int]]) -> list[np.ndarray]:
    """Matrices [out, in + 1] of a model's linear layers: weights, then bias, layer by layer."""
    layers, begin = [], 0
    for out, inputs in shapes:
        weights = z[begin : begin + out * inputs].reshape(out, inputs)
        begin += out * inputs
        layers.append(np.hstack([weights, z[begin : begin + out, None]]))
        begin += out
    return layers


def cross_entropy_slope(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Derivative of every example's cross-entropy by its scores."""
    delta = np.exp(scores - scores.max(axis=1, keepdims=True))
    delta /= delta.sum(axis=1, keepdims=True)
    delta[np.arange(len(labels)), labels] -= 1
    return delta


def softmax_regression(z: np.ndarray, images: np.ndarray, labels: np.ndarray) -> Factors:
    """One linear layer."""
    (layer,) = layers_of(z, [(CLASSES, PIXELS)])
    inputs = with_one(images)
    return [(cross_entropy_slope(inputs @ layer.T, labels), inputs)]


MLP_LAYERS = [(CLASSES, PIXELS), (PIXELS, CLASSES), (CLASSES, PIXELS)]


def mlp_1(z: np.ndarray, images: np.ndarray, labels: np.ndarray) -> Factors:
    """out = h + tanh(L3 tanh(L2 h)) with h = tanh(L1 x)."""
    first, second, third = layers_of(z, MLP_LAYERS)
    x = with_one(images)
    h = with_one(np.tanh(x @ first.T))
    v = with_one(np.tanh(h @ second.T))
    o = np.tanh(v @ third.T)
    slope = cross_entropy_slope(h[:, :-1] + o, labels)
    by_third = slope * (1 - o**2)
    by_second = (by_third @ third)[:, :-1] * (1 - v[:, :-1] ** 2)
    by_first = (slope + (by_second @ second)[:, :-1]) * (1 - h[:, :-1] ** 2)
    return [(by_first, x), (by_second, h), (by_third, v)]


def mlp(z: np.ndarray, images: np.ndarray, labels: np.ndarray) -> Factors:
    """out = tanh(L3 u) with u = x + tanh(L2 tanh(L1 x))."""
    first, second, third = layers_of(z, MLP_LAYERS)
    x = with_one(images)
    h = with_one(np.tanh(x @ first.T))
    v = np.tanh(h @ second.T)
    u = with_one(images + v)
    o = np.tanh(u @ third.T)
    by_third = cross_entropy_slope(o, labels) * (1 - o**2)
    by_second = (by_third @ third)[:, :-1] * (1 - v**2)
    by_first = (by_second @ second)[:, :-1] * (1 - h[:, :-1] ** 2)
    return [(by_first, x), (by_second, h), (by_third, u)]


MODELS = {"softmax-regression": softmax_regression, "mlp-1": mlp_1, "mlp": mlp}


def norms_of(factors: Factors, order: int) -> np.ndarray:
    """Norms of the examples' gradients over all layers: order 1 or 2."""
    parts = [
        np.linalg.norm(delta, order, axis=1) * np.linalg.norm(inputs, order, axis=1)
        for delta, inputs in factors
    ]
    return np.linalg.norm(np.stack(parts, axis=1), order, axis=1)


def scales(norms: np.ndarray, clip: float) -> np.ndarray:
    """min(1, clip / norm)."""
    return np.minimum(1, clip / np.maximum(norms, 1e-300))


def weighted_sum(factors: Factors, weights: np.ndarray) -> np.ndarray:
    """Sum of the examples' gradients, each times its weight, in the order of the parameters."""
    parts = []
    for delta, inputs in factors:
        gradient = (delta * weights[:, None]).T @ inputs
        parts += [gradient[:, :-1].ravel(), gradient[:, -1]]
    return np.concatenate(parts)


def clipped_sum(factors: Factors, clip: float, order: int = 2) -> np.ndarray:
    """Sum of per-example gradients, each scaled to a norm of at most clip."""
    return weighted_sum(factors, scales(norms_of(factors, order), clip))

def tensor_clipped_sum(factors: Factors, clip: float) -> np.ndarray:
    """The same with the bound clip / sqrt(T) for each of the T tensors: weights and biases."""
    bound = clip / np.sqrt(2 * len(factors))
    parts = []
    for delta, inputs in factors:
        for tensor in (inputs[:, :-1], inputs[:, -1:]):
            weights = scales(norms_of([(delta, tensor)], 2), bound)
            parts.append(((delta * weights[:, None]).T @ tensor).ravel())
    return np.concatenate(parts)


def sum_of_squares(factors: Factors) -> np.ndarray:
    """Sum over the examples of their squared gradients, coordinate by coordinate."""
    squares = [(delta**2, inputs**2) for delta, inputs in factors]
    return weighted_sum(squares, np.ones(len(squares[0][0])))


def clip_vector(vector: np.ndarray, clip: float, order: int = 2) -> np.ndarray:
    """A vector scaled to a norm of at most clip: order 1 or 2."""
    return vector * scales(np.linalg.norm(vector, order), clip)
