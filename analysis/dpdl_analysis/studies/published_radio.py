# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Delivery of 802.11p frames over distance in a city's streets, by published measurements.

Mean path losses and their spread were measured with line of sight by Abbas, Sjöberg, Karedal and
Tufvesson (Int. J. Antennas and Propagation 2015, article 190607; urban streets of Lund and Malmö),
around one corner by Mangel, Klemp and Hartenstein (EURASIP JWCN 2011:182, VirtualSource11p; eight
crossings of Munich). Both report path losses in dB. This module applies them to the receiver of the
scenario `vehicular`, with its power, thermal noise, fading and receiver sensitivity.
"""

import math

import numpy as np

POWER = 23.0
"""Transmit power of all radios, in dBm."""
WEAKEST = -93.5
"""Power in dBm at which ns-3 receives half of the frames at 6 Mbit/s, 3.5 dB over the noise."""
WAVELENGTH = 0.299792458 / 5.86
STREET, WALL = 20.0, 8.4
"""Width of a street between buildings, and distance of a vehicle to the nearer wall, in metres."""
FADES = ((50.0, 3.0), (150.0, 1.5), (math.inf, 1.0))
"""Upper distance in metres, and Nakagami's m below it, as DpdlVehicularNetwork sets them."""
DRAWS = 20_000
SPLITS = 24
"""Number of positions of a pair of vehicles around a corner, at one distance."""


def line_of_sight(distance: float) -> float:
    """Fraction of frames that arrive over `distance` metres with line of sight."""
    near, far = min(distance, 104.0), max(distance, 104.0)
    loss = 63.9 + 18.1 * math.log10(near / 10.0) + 28.5 * math.log10(far / 104.0)
    return _delivered(loss, 4.15, distance)


def around_a_corner(distance: float) -> float:
    """Mean fraction of frames that arrive over `distance` metres around a corner, or nan."""
    angles = (np.arange(SPLITS) + 0.5) * (math.pi / 2.0) / SPLITS
    legs = [(distance * math.cos(angle), distance * math.sin(angle)) for angle in angles]
    hidden = [leg for leg in legs if min(leg) > STREET / 2.0]
    if not hidden:
        return math.nan
    return float(np.mean([_delivered(_corner_loss(*leg), 4.1, distance) for leg in hidden]))


def _corner_loss(sender: float, receiver: float) -> float:
    """Path loss in dB (VirtualSource11p); distances in metres to the middle of the crossing."""
    beyond = max(1.0, receiver / 180.0)
    ratio = sender**0.957 / (WALL * STREET) ** 0.81
    return 3.75 + 26.9 * math.log10(ratio * 4.0 * math.pi * receiver * beyond / WAVELENGTH)


def _delivered(loss: float, spread: float, distance: float) -> float:
    generator = np.random.default_rng(1)
    m = next(m for below, m in FADES if distance < below)
    fading = 10.0 * np.log10(generator.gamma(m, 1.0 / m, DRAWS))
    received = POWER - loss + spread * generator.standard_normal(DRAWS) + fading
    return float(np.mean(received >= WEAKEST))
