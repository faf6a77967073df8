#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""`--features=scattering` against a second implementation in NumPy, and its laws.

usage: scattering.py PATH-OF-SCATTERING-FEATURES PATH-OF-LEARN [unittest arguments]

The second implementation works on whole spectra: filters are transformed, cut and multiplied, and
sampling adds up blocks of the spectrum, as Kymatio does (Andreux et al., JMLR 2020).
"""

import subprocess
import sys
import unittest

import numpy as np

from program_case import ProgramCase
from replays import data
from replays.compression import philox

FEATURES = sys.argv.pop(1)
LEARN = sys.argv.pop(1)
SCALES, ANGLES = 2, 8
GROUP = 3
SHAPES, DATASET = 1000, 12


def gabor(shape: tuple[int, int], width: float, theta: float, wave: float, slant: float):
    """A plane wave in an elliptic Gaussian, its tails folded into one period."""
    rows, columns = (
        np.arange(-2 * side, 3 * side, dtype=float).reshape(-1, 1) for side in shape
    )
    u, v = rows, columns.T
    along = u * np.cos(theta) + v * np.sin(theta)
    across = v * np.cos(theta) - u * np.sin(theta)
    values = np.exp(-(along**2 + (slant * across) ** 2) / (2 * width**2) + 1j * wave * along)
    values *= slant / (2 * np.pi * width**2)
    return values.reshape(5, shape[0], 5, shape[1]).sum(axis=(0, 2))


def wavelet(shape: tuple[int, int], scale: int, angle: int) -> np.ndarray:
    """The spectrum of a Morlet wavelet."""
    theta = (ANGLES // 2 - 1 - angle) * np.pi / ANGLES
    width, wave, slant = 0.8 * 2**scale, 0.75 * np.pi / 2**scale, 4 / ANGLES
    oscillating = gabor(shape, width, theta, wave, slant)
    envelope = gabor(shape, width, theta, 0.0, slant)
    return np.fft.fft2(oscillating - oscillating.sum() / envelope.sum() * envelope).real


def cut(spectrum: np.ndarray, step: int) -> np.ndarray:
    """The low frequencies: what is left on every step-th place."""
    for axis in (0, 1):
        side = spectrum.shape[axis]
        low = side // (2 * step)
        kept = np.r_[0:low, side - low : side]
        spectrum = spectrum.take(kept, axis)
    return spectrum


def sampled(spectrum: np.ndarray, step: int) -> np.ndarray:
    """The spectrum of every step-th place."""
    rows, columns = (side // step for side in spectrum.shape[-2:])
    blocks = spectrum.reshape(*spectrum.shape[:-2], step, rows, step, columns)
    return blocks.mean(axis=(-4, -2))


def mirrored(planes: np.ndarray) -> np.ndarray:
    """Planes with margins on all sides, up to a multiple of 4."""
    margins = [(0, 0)]
    for side in planes.shape[1:]:
        more = ((side + 4) // 4 + 1) * 4 - side
        margins.append((more // 2, more - more // 2))
    return np.pad(planes, margins, mode="reflect")


def scattered(planes: np.ndarray) -> np.ndarray:
    """[n, rows, columns] to [n, 81, rows // 4, columns // 4]."""
    images = mirrored(planes.astype(float))
    shape = images.shape[1:]
    waves = [[wavelet(shape, j, a) for a in range(ANGLES)] for j in range(SCALES)]
    low = np.fft.fft2(gabor(shape, 0.8 * 2 ** (SCALES - 1), 0.0, 0.0, 1.0)).real

    def smooth(values: np.ndarray, level: int) -> np.ndarray:
        spectrum = np.fft.fft2(values) * cut(low, 2**level)
        return np.fft.ifft2(sampled(spectrum, 4 // 2**level)).real[:, 1:-1, 1:-1]

    def modulus(values: np.ndarray, scale: int, angle: int) -> np.ndarray:
        spectrum = np.fft.fft2(values) * waves[scale][angle]
        return np.abs(np.fft.ifft2(sampled(spectrum, 2**scale)))

    channels, second = [smooth(images, 0)], []
    for scale in range(SCALES):
        for angle in range(ANGLES):
            first = modulus(images, scale, angle)
            channels.append(smooth(first, scale))
            if scale == 0:
                second += [smooth(modulus(first, 1, b), 1) for b in range(ANGLES)]
    return np.stack(channels + second, axis=1)


def normalised(features: np.ndarray) -> np.ndarray:
    """Groups of three channels to mean 0 and variance 1, then examples to length 1."""
    count, channels, rows, columns = features.shape
    groups = features.reshape(count, channels // GROUP, -1)
    groups = groups - groups.mean(axis=2, keepdims=True)
    groups /= np.sqrt((groups**2).mean(axis=2, keepdims=True) + 1e-5)
    flat = groups.reshape(count, -1)
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    return (flat / np.where(length > 0, length, 1)).reshape(features.shape)


def reference(images: np.ndarray) -> np.ndarray:
    """[n, colours, rows, columns] of numbers to [n, 81 colours, ...]."""
    parts = [scattered(images[:, colour]) for colour in range(images.shape[1])]
    return normalised(np.concatenate(parts, axis=1))


def uniforms(number: int, count: int) -> np.ndarray:
    """The first random numbers of an image of shapes, in [0, 1), two of a block of Philox."""
    counter = np.zeros((-(-count // 2), 4), np.uint32)
    counter[:, 0] = np.arange(len(counter))
    counter[:, 1], counter[:, 2] = DATASET << 16, number
    words = philox(counter, (0, 0)).astype(np.uint64).reshape(-1, 2)
    return ((words[:, 0] << np.uint64(32) | words[:, 1]) >> np.uint64(11)) / 2.0**53


def random_shapes(number: int, rows: int, columns: int) -> np.ndarray:
    """Ellipses and boxes that cover each other, some striped: what whitening is learnt from."""
    draws = iter(uniforms(number, 124))

    def between(low: float, high: float) -> float:
        return low + (high - low) * next(draws)

    i, j = np.arange(rows)[:, None], np.arange(columns)
    image = np.full((rows, columns), between(0, 1) if next(draws) < 0.5 else 0.0)
    for _ in range(int(between(1, 12))):
        radius = min(rows, columns) * np.exp(between(np.log(2 / 28), np.log(16 / 28)))
        down, right = i - between(0, rows), j - between(0, columns)
        angle, stretch = between(0, np.pi), np.exp(between(-1, 1))
        is_box, grey = next(draws) < 0.5, next(draws)
        height = between(0, 0.25)
        stripes = height if next(draws) < 0.5 else 0.0
        wave = between(0.2, 2.7)
        along = np.cos(angle) * right + np.sin(angle) * down
        across = np.cos(angle) * down - np.sin(angle) * right
        u, v = along / radius / stretch, across / radius * stretch
        inside = np.maximum(abs(u), abs(v)) < 1 if is_box else u**2 + v**2 < 1
        image[inside] = np.clip(grey + stripes * np.sin(wave * along), 0, 1)[inside]
    return image


def whitened(images: np.ndarray, length: float, penalty: float) -> np.ndarray:
    """[n, colours, rows, columns] to [n, SHAPES colours] of the given length: ridge regression."""
    count, colours, rows, columns = images.shape
    shapes = np.stack([random_shapes(number, rows, columns) for number in range(SHAPES)])
    basis = reference(shapes[:, None]).reshape(SHAPES, -1)
    basis -= basis.mean(axis=0)
    gram = basis @ basis.T
    gram += penalty * np.trace(gram) / SHAPES * np.eye(SHAPES)
    planes = reference(images).reshape(count * colours, -1)
    made = np.linalg.solve(gram, basis @ planes.T).T.reshape(count, -1)
    return length * made / np.linalg.norm(made, axis=1, keepdims=True)


def middles(count: int) -> np.ndarray:
    """The middles of the first images: a solver that whitens takes time by the pixels."""
    return data.images("train", count).reshape(count, 1, 28, 28)[:, :, 6:22, 6:22]


class ScatteringTest(ProgramCase):
    """Features that the product computes of arrays that NumPy wrote."""

    def features(
        self, images: np.ndarray, workers: int = 1, name: str = "scattering"
    ) -> np.ndarray:
        labels = np.arange(len(images)) % 2
        np.savez(
            self.folder / "i.npz", x_train=images, y_train=labels, x_test=images[:1], y_test=[1]
        )
        words = [FEATURES, "file:i.npz", name, str(workers)]
        made = subprocess.run(words, cwd=self.folder, capture_output=True, check=True)
        shape = [int(word) for word in made.stderr.decode().split(" x ")]
        found = np.frombuffer(made.stdout, dtype=np.float32).reshape(-1, *shape)
        np.testing.assert_array_equal(found[-1], found[0])
        return found[:-1]

    def assert_as_reference(self, images: np.ndarray) -> None:
        numbers = images / 255.0 if images.dtype == np.uint8 else images
        found = self.features(images)
        expected = reference(numbers)
        self.assertEqual(found.shape, expected.shape)
        # Of values whose root mean square is 1, not of the small ones of an example of length 1.
        size = np.sqrt(found[0].size)
        self.assertLess(np.abs(found - expected).max() * size, 1e-4)

    def test_fashion_mnist(self) -> None:
        self.assert_as_reference(data.images("train", 40).reshape(40, 1, 28, 28))

    def test_whitened_features(self) -> None:
        """From random shapes to features; parts of images, so that it takes little time."""
        images = data.images("train", 40).reshape(40, 1, 28, 28)
        planes = np.concatenate((images[..., :16, 4:24], images[..., 12:, 4:24]), axis=1)
        found = self.features(planes, name="scattering:10:0.1").reshape(40, -1)
        expected = whitened(planes / 255.0, 10.0, 0.1)
        self.assertEqual(found.shape, expected.shape)
        error = np.abs(found - expected).max() / 10 * np.sqrt(found.shape[1])
        self.assertLess(error, 1e-4)

    def test_whitened_planes_stand_side_by_side(self) -> None:
        """1000 coordinates of each plane, at the wanted length; two equal planes share it."""
        images = middles(40)
        white = self.features(images, 1, "scattering:3:0.1")
        self.assertEqual(white.shape, (40, 1000, 1, 1))
        white = white.reshape(40, -1).astype(float)
        np.testing.assert_allclose(np.linalg.norm(white, axis=1), 3, rtol=1e-5)
        double = self.features(np.tile(images, (1, 2, 1, 1)), 3, "scattering:3:0.1")
        np.testing.assert_allclose(
            double.reshape(40, -1), np.tile(white, (1, 2)) / np.sqrt(2), atol=1e-6
        )

    def test_whitening_spreads_the_variance(self) -> None:
        """Over more directions, and the more the smaller the penalty."""
        images = middles(400)
        shares = []
        for name in ("scattering", "scattering:1:1", "scattering:1:0.1"):
            made = self.features(images, 1, name).reshape(400, -1).astype(float)
            variances = np.linalg.svd(made - made.mean(axis=0), compute_uv=False) ** 2
            shares.append(variances[:5].sum() / variances.sum())
        self.assertEqual(shares, sorted(shares, reverse=True), shares)

    def test_sizes_and_colours(self) -> None:
        random = np.random.default_rng(1)
        for shape in ((1, 8, 8), (3, 32, 32), (1, 17, 30), (2, 9, 15), (1, 50, 11)):
            self.assert_as_reference(random.integers(0, 256, (3, *shape), dtype=np.uint8))
            self.assert_as_reference(random.normal(size=(3, *shape)).astype(np.float32))

    def test_a_black_image_has_no_features(self) -> None:
        black = self.features(np.zeros((2, 1, 28, 28), dtype=np.uint8))
        self.assertEqual(np.abs(black).max(), 0.0)

    def test_a_grey_image_has_no_waves(self) -> None:
        grey = self.features(np.full((2, 1, 28, 28), 128, dtype=np.uint8))
        self.assertGreater(np.abs(grey[:, :GROUP]).min(), 1e-3)
        self.assertLess(np.abs(grey[:, GROUP:]).max(), 1e-6)

    def test_every_other_image_has_length_one(self) -> None:
        found = self.features(data.images("train", 20).reshape(20, 1, 28, 28))
        lengths = np.linalg.norm(found.reshape(20, -1).astype(float), axis=1)
        np.testing.assert_allclose(lengths, 1.0, atol=1e-6)

    def test_length_is_a_factor(self) -> None:
        images = data.images("train", 5).reshape(5, 1, 28, 28)
        one, ten = self.features(images), self.features(images, name="scattering:10")
        np.testing.assert_allclose(ten, 10 * one, rtol=3e-7)
        np.testing.assert_array_equal(self.features(images, name="scattering:1"), one)

    def test_four_pixels_down_move_features_one_down(self) -> None:
        image = np.zeros((2, 1, 48, 48), dtype=np.float32)
        image[0, 0, 20:28, 20:28] = image[1, 0, 24:32, 20:28] = np.random.default_rng(2).random(
            (8, 8)
        )
        still, moved = self.features(image)
        np.testing.assert_allclose(moved[:, 1:], still[:, :-1], atol=2e-6)

    def test_the_number_of_workers_changes_nothing(self) -> None:
        images = data.images("train", 23).reshape(23, 1, 28, 28)
        np.testing.assert_array_equal(self.features(images, 1), self.features(images, 5))

    def test_examples_that_are_no_images_are_refused(self) -> None:
        for dataset, shape in (("linear-regression", "1 x 1 x 8"), ("file:t.csv", "1 x 1 x 2")):
            (self.folder / "t.csv").write_text("a,b,label\n" + "1,2,0\n2,1,1\n" * 20)
            result = self.run_program(LEARN, f"--dataset={dataset}", "--features=scattering")
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
            self.assertIn("option 'features': 'scattering' is not accepted", result.stderr)
            self.assertIn(shape, result.stderr)


class TransformTest(unittest.TestCase):
    """Laws of the transform before it is normalised; the second implementation keeps them."""

    def test_distances_do_not_grow(self) -> None:
        images = data.images("train", 60).reshape(60, 28, 28) / 255.0
        before, after = mirrored(images), scattered(images)
        for i in range(0, 60, 2):
            distance = np.linalg.norm(before[i] - before[i + 1])
            # One feature stands for 4 x 4 pixels.
            self.assertLessEqual(4 * np.linalg.norm(after[i] - after[i + 1]), 1.05 * distance)


if __name__ == "__main__":
    unittest.main()
