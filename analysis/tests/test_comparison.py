# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Paired differences: exact zeros, known intervals, infinities, and what the sentences say."""

import math
import sqlite3
from contextlib import closing

from support import TraceTest  # comes first: it finds the package
from synthetic import Run

import numpy as np

from dpdl_analysis.comparison import Quantity, all_quantities, differences, numbers, sentence
from dpdl_analysis.last_quarter import evaluated, late_rise

POINTS = (Quantity("accuracy_mean", "accuracy", "points", 100.0),)
PLAIN = (Quantity("a", "a"),)


def one(bases: list[float], variants: list[float]):
    """The difference of one plain number."""
    pairs = [({"a": base}, {"a": new}) for base, new in zip(bases, variants)]
    return differences(pairs, PLAIN)[0]


class DifferenceTest(TraceTest):
    """Numbers with known answers."""

    def test_equal_runs_differ_by_exactly_zero_in_every_number(self) -> None:
        runs = [self.trace(Run(seed=seed, private=seed > 1)) for seed in (1, 2, 3)]
        again = [self.trace(Run(seed=seed, private=seed > 1)) for seed in (1, 2, 3)]
        pairs = [(numbers(run), numbers(same)) for run, same in zip(runs, again)]
        found = differences(pairs, all_quantities(runs))
        self.assertGreater(len(found), 20)
        for difference in found:
            with self.subTest(difference.quantity.key):
                self.assertEqual(difference.values, (0.0, 0.0, 0.0))
                self.assertEqual((difference.paired.low, difference.paired.high), (0.0, 0.0))
                self.assertTrue(difference.unchanged)
                self.assertFalse(difference.tells)
        self.assertIn("changes nothing: every difference is exactly 0", sentence("x", found))
        self.assertFalse(any(found.quantity.key.startswith("wall") for found in found))

    def test_late_means_are_over_evaluations_on_the_same_images(self) -> None:
        """The last evaluation is on all images; the mean is over those before it."""
        path = self.write(Run(nodes=4, rounds=40, every=2))
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("ALTER TABLE accuracy_by_round ADD COLUMN test_examples")
            connection.execute("UPDATE accuracy_by_round SET test_examples = 2000")
            connection.execute("UPDATE accuracy_by_round SET test_examples = 10000, "
                               "accuracy_mean = 0.99 WHERE round = 40")
        trace = self.open(path)
        found = evaluated(trace)
        before = "SELECT AVG(accuracy_mean) FROM accuracy_by_round WHERE round BETWEEN 31 AND 39"
        self.assertEqual(found["accuracy_mean"], 0.99)
        self.assertAlmostEqual(found["accuracy_last_quarter"], trace.one(before))
        self.assertLess(late_rise(trace), 0.05)

    def test_interval_of_a_known_sample(self) -> None:
        # t = 2.7764 with 4 degrees of freedom; the differences are 1 to 5.
        found = one([10.0, 20.0, 30.0, 40.0, 50.0], [11.0, 22.0, 33.0, 44.0, 55.0])
        self.assertAlmostEqual(found.paired.mean, 3.0)
        self.assertAlmostEqual(found.paired.half, 2.77645 * math.sqrt(2.5 / 5), places=3)
        self.assertTrue(found.tells)
        # Welch: variances 250 and 302.5, 7 whole degrees of freedom, t = 2.3646.
        self.assertAlmostEqual(found.unpaired_half, 2.36462 * math.sqrt(552.5 / 5), places=2)
        self.assertAlmostEqual(found.gain, found.unpaired_half / found.paired.half)
        self.assertEqual(found.text(), "+3.0 [1.0, 5.0]")

    def test_intervals_cover_as_often_as_they_say(self) -> None:
        generator = np.random.default_rng(11)
        covered = wider = 0
        for _ in range(1000):
            shared = generator.normal(0, 10, 5)
            effect = generator.normal(2, 1, 5)
            found = one(list(shared), list(shared + effect))
            covered += found.paired.low <= 2.0 <= found.paired.high
            wider += found.gain > 1.0
        self.assertAlmostEqual(covered / 1000, 0.95, delta=4 * math.sqrt(0.95 * 0.05 / 1000))
        self.assertGreater(wider, 990)

    def test_infinities(self) -> None:
        inf = math.inf
        both = one([inf, inf], [inf, inf])
        self.assertEqual((both.unchanged, both.paired.mean, both.both_infinite), (True, 0.0, 2))
        self.assertEqual(both.text(), "0 (infinite in both)")
        lost = one([1.0, 1.0], [inf, 1.0])
        self.assertEqual((lost.unchanged, lost.became_infinite, lost.tells), (False, 1, False))
        self.assertEqual(lost.paired.mean, inf)
        self.assertEqual(lost.text(), "finite before, infinite now in 1 of 2 pairs")
        gained = one([inf], [2.0])
        self.assertEqual(gained.text(), "infinite before, finite now in 1 of 1 pair")
        mixed = one([inf, 1.0], [1.0, inf])
        self.assertTrue(math.isnan(mixed.paired.mean))
        self.assertIn("finite now in 1 of 2", mixed.text())

    def test_one_pair_has_no_interval(self) -> None:
        found = one([1.0], [1.5])
        self.assertTrue(math.isnan(found.paired.half))
        self.assertFalse(found.tells)
        self.assertEqual(found.text(), "+0.500")

    def test_the_same_difference_in_every_pair(self) -> None:
        found = one([0.1, 0.2, 0.3], [1.1, 1.2, 1.3])
        self.assertTrue(found.constant)
        self.assertEqual(found.text(), "+1.00 in every pair")

    def test_pairs_without_the_number_are_left_out(self) -> None:
        pairs = [({"a": 1.0}, {}), ({"a": 1.0}, {"a": math.nan}), ({"a": 1.0}, {"a": 2.0})]
        self.assertEqual(differences(pairs, PLAIN)[0].pairs, 1)
        self.assertEqual(differences(pairs[:2], PLAIN), [])


class SentenceTest(TraceTest):
    """What is said of a change."""

    def said(self, bases: list[float], variants: list[float], **other: tuple) -> str:
        pairs = [
            ({"accuracy_mean": base}, {"accuracy_mean": new})
            for base, new in zip(bases, variants)
        ]
        for key, (base, new) in other.items():
            for pair in pairs:
                pair[0][key], pair[1][key] = base, new
        return sentence("drop 0.1", differences(pairs))

    def test_a_cost_with_its_interval(self) -> None:
        said = self.said([0.8, 0.81, 0.82], [0.77, 0.778, 0.792], epsilon_certified=(1.0, 1.0))
        self.assertRegex(said, r"^drop 0.1 costs 3.00 points of accuracy \[2.50, 3.50\] over 3 s")
        self.assertIn("; epsilon certified unchanged at 1.00", said)

    def test_a_gain_of_one_seed(self) -> None:
        said = self.said([0.8], [0.85], simulated_seconds=(1.0, 3.0))
        self.assertIn("gains 5.00 points of accuracy (one seed: no interval)", said)
        self.assertIn("simulated time +2.00 s", said)

    def test_chance_is_no_effect(self) -> None:
        said = self.said([0.8, 0.81], [0.81, 0.80])
        self.assertIn("no difference in accuracy that 2 seeds tell from 0: 0 points", said)

    def test_the_claim_is_told_where_nothing_is_certified(self) -> None:
        inf = math.inf
        said = self.said([0.5], [0.4], epsilon_certified=(inf, inf), epsilon_claimed=(1.0, 2.0))
        self.assertIn("epsilon certified infinite in both; epsilon claimed +1.00", said)
        said = self.said([0.5], [0.4], epsilon_certified=(1.0, inf), epsilon_claimed=(1.0, 1.0))
        self.assertIn("epsilon certified finite before, infinite now in 1 of 1 pair", said)
        self.assertNotIn("claimed", said)
