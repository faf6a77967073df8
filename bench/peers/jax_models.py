# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The benchmarks' chains as functions of JAX: parameters, and the scores of one image."""
from typing import Callable

import jax
import jax.numpy as jnp
import numpy

Parameters = list[tuple[jax.Array, jax.Array]]


def layer(random: numpy.random.Generator, *shape: int) -> tuple[jax.Array, jax.Array]:
    """Weight and bias; the first size is that of the output."""
    bound = float(numpy.prod(shape[1:])) ** -0.5
    return (jnp.asarray(random.uniform(-bound, bound, shape), jnp.float32),
            jnp.asarray(random.uniform(-bound, bound, shape[:1]), jnp.float32))


def linear(parameters: tuple[jax.Array, jax.Array], x: jax.Array) -> jax.Array:
    return parameters[0] @ x + parameters[1]


def conv(parameters: tuple[jax.Array, jax.Array], x: jax.Array, stride: int,
         pad: int) -> jax.Array:
    y = jax.lax.conv_general_dilated(x[None], parameters[0], (stride, stride), [(pad, pad)] * 2)
    return y[0] + parameters[1][:, None, None]


def pool(x: jax.Array, stride: int) -> jax.Array:
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2), (1, stride, stride), "VALID")


def mlp_scores(parameters: Parameters, x: jax.Array) -> jax.Array:
    first, second, third = parameters
    x = x.reshape(-1)
    x = x + jnp.tanh(linear(second, jnp.tanh(linear(first, x))))
    return jnp.tanh(linear(third, x))


def cnn_scores(parameters: Parameters, x: jax.Array, shapes: list[tuple[int, int]],
               pool_stride: int) -> jax.Array:
    """Two convolutions, each with its stride and padding, and two linear layers."""
    for convolution, (stride, pad) in zip(parameters[:2], shapes):
        x = pool(jax.nn.relu(conv(convolution, x, stride, pad)), pool_stride)
    hidden = jax.nn.relu(linear(parameters[2], x.reshape(-1)))
    return linear(parameters[3], hidden)


def cnn_s_scores(parameters: Parameters, x: jax.Array) -> jax.Array:
    return cnn_scores(parameters, x, [(2, 3), (2, 0)], 1)


def cnn_m_scores(parameters: Parameters, x: jax.Array) -> jax.Array:
    return cnn_scores(parameters, x, [(1, 2), (1, 2)], 2)


SHAPES = {
    "mlp": [(10, 784), (784, 10), (10, 784)],
    "cnn-s": [(16, 1, 8, 8), (32, 16, 4, 4), (32, 512), (10, 32)],
    "cnn-m": [(32, 1, 5, 5), (64, 32, 5, 5), (512, 3136), (10, 512)],
}
SCORES: dict[str, Callable[[Parameters, jax.Array], jax.Array]] = {
    "mlp": mlp_scores, "cnn-s": cnn_s_scores, "cnn-m": cnn_m_scores}


def start(model: str) -> Parameters:
    """Random parameters."""
    random = numpy.random.default_rng(1)
    return [layer(random, *shape) for shape in SHAPES[model]]
